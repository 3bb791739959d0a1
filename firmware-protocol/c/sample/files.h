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

/* A key file: 64 hex digits and a line's end. */
bool file_read_key(const char *path, uint8_t key[32]);

#endif
