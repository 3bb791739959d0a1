#!/bin/sh
# Unpacks Debian source packages: sources.sh FOLDER PACKAGE... puts each into FOLDER/PACKAGE. It uses the package
# sources that this Debian has, asked for source packages instead, and leaves the lists of the system as they are.
set -eu
folder=$1
shift
mkdir -p "$folder/apt/sources" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
cd "$folder"
here=$PWD
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    sed -E 's/^Types:.*/Types: deb-src/; s/^deb[[:space:]]/deb-src /' "$file" >"apt/sources/$(basename "$file")"
done
apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$here/apt/sources" \
        -o Dir::State::lists="$here/apt/lists" -o Dir::Cache="$here/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update || : # a source that has no source packages; a package that cannot be found fails below
for package in "$@"; do
    rm -rf "apt/$package" "$package"
    mkdir "apt/$package"
    (cd "apt/$package" && apt source --download-only "$package" && dpkg-source --no-check -x ./*.dsc unpacked) >&2
    mv "apt/$package/unpacked" "$package"
done
rm -rf apt
