/* ../../sample/files.h by semihosting: what lies around the device, such as its cards, and what it is provisioned with.
 * None of it is part of the link. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "semihosting.h"

enum { LONGEST_PATH = 512, LONGEST_ENTRY = 128, KEY_TEXT = 65, HEX = 16 };

static size_t read_at(const char *path, size_t place, void *bytes, size_t size)
{
    const int file = semihosting_open(path, SEMIHOSTING_READ);
    if (file < 0)
        return 0;
    const size_t found = semihosting_seek(file, place) ? semihosting_read(file, bytes, size) : 0;
    semihosting_close(file);
    return found;
}

static long size_of(const char *path)
{
    const int file = semihosting_open(path, SEMIHOSTING_READ);
    if (file < 0)
        return -1;
    const long size = semihosting_size(file);
    semihosting_close(file);
    return size;
}

bool file_read(const char *path, void *bytes, size_t size)
{
    return size_of(path) == (long)size && read_at(path, 0, bytes, size) == size;
}

static bool write_at(int file, size_t place, const void *bytes, size_t size)
{
    if (file < 0)
        return false;
    const bool written = semihosting_seek(file, place) && semihosting_write(file, bytes, size);
    semihosting_close(file);
    return written;
}

bool file_replace(const char *path, const void *bytes, size_t size)
{
    char fresh[LONGEST_PATH];
    const size_t length = strlen(path);
    if (length + sizeof ".new" > sizeof fresh)
        return false;
    memcpy(fresh, path, length);
    memcpy(fresh + length, ".new", sizeof ".new");
    return write_at(semihosting_open(fresh, SEMIHOSTING_CREATE), 0, bytes, size) && semihosting_rename(fresh, path);
}

bool file_read_text(const char *path, char *text, size_t room)
{
    if (size_of(path) < 0)
        return false;
    text[read_at(path, 0, text, room - 1)] = '\0';
    return true;
}

bool file_append(const char *path, const char *line)
{
    const long size = size_of(path);
    return write_at(semihosting_open(path, size < 0 ? SEMIHOSTING_CREATE : SEMIHOSTING_UPDATE),
                    size < 0 ? 0 : (size_t)size, line, strlen(line));
}

uint64_t file_last_number(const char *path)
{
    char text[LONGEST_ENTRY];
    const long size = size_of(path);
    const size_t most = sizeof text - 1, place = size > (long)most ? (size_t)size - most : 0;
    if (size <= 0)
        return 0;
    size_t end = read_at(path, place, text, most);
    if (end > 0 && text[end - 1] == '\n')
        end--;
    text[end] = '\0';
    const char *line = strrchr(text, '\n');
    return strtoull(line == NULL ? text : line + 1, NULL, 10);
}

static int digit(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = letter == '\0' ? NULL : strchr(digits, tolower((unsigned char)letter));
    return found == NULL ? -1 : (int)(found - digits);
}

bool file_read_key(const char *path, uint8_t key[32])
{
    char text[KEY_TEXT];
    if (!file_read(path, text, sizeof text) || text[sizeof text - 1] != '\n')
        return false;
    for (size_t place = 0; place < sizeof text / 2; place++) {
        const int high = digit(text[2 * place]), low = digit(text[2 * place + 1]);
        if (high < 0 || low < 0)
            return false;
        key[place] = (uint8_t)(high * HEX + low);
    }
    return true;
}
