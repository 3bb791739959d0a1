"""README.txt of the evidence, for a person who checks it years later, without this program."""

README = """\
THE EVIDENCE OF ONE ROUND

What is here

manifest.json       which round of which table this is, and the SHA-256 of each file
rows.jsonl          what the table's journal keeps, from the end of the round before, one row a line
round.json          the round as it was shown when it ended; amounts in cents
script.json         wagers, cards and keys, so that "tableside game settle" settles it once more
steps.txt           the round card by card, for reading
sensors.csv         each time chips were laid down or lifted, by the sensor's clock and the table's
lamps.csv           which lamp was asked to show what, and since when; the first lines are the lamps before
confirmations.csv   the dealer's keys, a supervisor's words, and what the table refused
seals.csv           only where the table sealed cards that lay face down: when each was sealed and opened, and
                    whether it was the same card
claims.csv          only where a jackpot was won: its claim after each step. It grows until the jackpot is
                    paid, so that manifest.json does not name it
corrections.jsonl   only where the round was corrected after it had ended: who said so, why, and what the
                    round says since then; manifest.json does not name it, either
SHA256SUMS          the SHA-256 of all of them

In the sheets a text that would begin as a formula does (= + - @) has an apostrophe before it.

1. Nothing was changed since this was written

    sha256sum --check SHA256SUMS
    sha256sum manifest.json

The second number is the evidence hash. A payout slip shows it too: both must be the same.

2. The files are those that the manifest names

Compare "members" in manifest.json with what "sha256sum *" prints.

3. The rows belong together

Each row has a hash: SHA-256 over the hash of the row before it, and these fields of its own, one after the
other: row number (8 bytes), "at" as a floating-point number of 8 bytes, event number (8 bytes), then the
lengths of kind, device and log (2 bytes each), then kind, device, log and body themselves. Numbers are
big-endian, texts UTF-8, "log" and hashes are written in hex. With Python, and nothing else:

    import hashlib, json, struct
    chain = json.load(open("manifest.json"))["chain"]
    before = bytes.fromhex(chain["before"])
    for line in open("rows.jsonl"):
        row = json.loads(line)
        kind, device, body = (row[name].encode() for name in ("kind", "device", "body"))
        log = bytes.fromhex(row["log"])
        fixed = struct.pack(">qdqHHH", row["row"], row["at"], row["number"], len(kind), len(device), len(log))
        before = hashlib.sha256(before + fixed + kind + device + log + body).digest()
        assert before.hex() == row["hash"], row["row"]
    assert before.hex() == chain["after"]

4. The table wrote them

Where "checkpoint" in manifest.json is not null, the table signed the row before the last one of rows.jsonl.
The signature is Ed25519, by the key "public" (compare it with what the operator has on file for the table),
over the line "tableside checkpoint 1 ROW HASH", with the "row" and the "hash" of the checkpoint and no end of
line. With bash and OpenSSL, the three values in hex put in their places:

    printf 'tableside checkpoint 1 ROW HASH' > line
    printf '302a300506032b6570032100PUBLIC' | xxd -r -p > key
    printf 'SIGNATURE' | xxd -r -p > signature
    openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in line -sigfile signature

5. The card that lay face down was not exchanged

While a card lies face down, its row has a "sealed" box instead of the card. The row of kind "opened" has the
"row" of the box, the "card", and the "key" of this one card. A box opens to one card only. With Python and
its package cryptography, the three values put in their places:

    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    key, box, row = bytes.fromhex("KEY"), bytes.fromhex("BOX"), ROW
    card = ChaCha20Poly1305(key).decrypt(bytes(12), box, row.to_bytes(8, "big"))
    print(card[:2].decode(), card[2:] == bytes(30))

It prints the card, and "True".

6. The journal still says so

    tableside journal verify --config TABLE.toml
    tableside journal export --config TABLE.toml --evidence ROUND --output again.tar

The second gives the same files, and the same evidence hash with the same version of the program.
"""
