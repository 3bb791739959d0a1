/* Small files. */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads exactly `size` bytes; false: the file is not there, or has another size. */
bool file_read(const char *path, void *bytes, size_t size);

/* Replaces the whole file or leaves it as it is, whenever the process is killed. */
bool file_replace(const char *path, const void *bytes, size_t size);

/* The text of a file, at most `room` - 1 bytes, and a zero; false: it is not there. */
bool file_read_text(const char *path, char *text, size_t room);

/* Adds a line to a file, which is made if it is not there. */
bool file_append(const char *path, const char *line);

/* The number that the last line begins with; 0: there is no such file, line or number. */
uint64_t file_last_number(const char *path);

/* A key file: 64 hex digits and a line's end. */
bool file_read_key(const char *path, uint8_t key[32]);

#endif
