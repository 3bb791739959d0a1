/* X25519 of tsl_crypto.h (RFC 7748) in slices, in constant time: 32-bit limbs, numbers modulo 2^256 - 38 until the
 * last one. A step is one bit of the ladder or five of the inversion: at most ten multiplications. */
#include <string.h>

#include "tsl_bytes.h"
#include "tsl_crypto.h"

enum {
    LIMBS = TSL_X25519_LIMBS,
    LADDER = 255,       /* steps, one for each bit of the secret from the highest one on */
    INVERSION = 51,     /* steps behind them */
    BITS_IN_A_STEP = 5, /* of the exponent of the inversion */
    A24 = 121665
};

typedef uint32_t field[LIMBS];

/* Adds what is above 2^256, 38 times, until nothing is. Twice is enough. */
static void fold(field out, uint64_t above)
{
    for (int round = 0; round < 2; round++) {
        uint64_t carry = above * 38;
        for (int limb = 0; limb < LIMBS; limb++) {
            carry += out[limb];
            out[limb] = (uint32_t)carry;
            carry >>= 32;
        }
        above = carry;
    }
}

static void add(field out, const field one, const field other)
{
    uint64_t carry = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        carry += (uint64_t)one[limb] + other[limb];
        out[limb] = (uint32_t)carry;
        carry >>= 32;
    }
    fold(out, carry);
}

/* One minus the other. A borrow is 2^256 too much, which is 38: it is taken off, and so is its own borrow. */
static void subtract(field out, const field one, const field other)
{
    uint64_t borrow = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        const uint64_t less = (uint64_t)one[limb] - other[limb] - borrow;
        out[limb] = (uint32_t)less;
        borrow = less >> 63;
    }
    for (int round = 0; round < 2; round++) {
        uint64_t off = borrow * 38;
        borrow = 0;
        for (int limb = 0; limb < LIMBS; limb++) {
            const uint64_t less = (uint64_t)out[limb] - off - borrow;
            out[limb] = (uint32_t)less;
            borrow = less >> 63;
            off = 0;
        }
    }
}

static void multiply(field out, const field one, const field other)
{
    uint32_t wide[2 * LIMBS] = {0};
    for (int row = 0; row < LIMBS; row++) {
        uint64_t carry = 0;
        for (int limb = 0; limb < LIMBS; limb++) {
            carry += (uint64_t)one[row] * other[limb] + wide[row + limb];
            wide[row + limb] = (uint32_t)carry;
            carry >>= 32;
        }
        wide[row + LIMBS] = (uint32_t)carry;
    }
    uint64_t carry = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        carry += (uint64_t)wide[limb + LIMBS] * 38 + wide[limb];
        out[limb] = (uint32_t)carry;
        carry >>= 32;
    }
    fold(out, carry);
}

static void multiply_small(field out, const field one, uint32_t factor)
{
    uint64_t carry = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        carry += (uint64_t)one[limb] * factor;
        out[limb] = (uint32_t)carry;
        carry >>= 32;
    }
    fold(out, carry);
}

static void exchange(field one, field other, uint32_t swap)
{
    const uint32_t mask = 0 - swap;
    for (int limb = 0; limb < LIMBS; limb++) {
        const uint32_t differs = mask & (one[limb] ^ other[limb]);
        one[limb] ^= differs;
        other[limb] ^= differs;
    }
}

static void load(field out, const uint8_t bytes[TSL_KEY])
{
    for (int limb = 0; limb < LIMBS; limb++)
        out[limb] = tsl_get_u32(bytes + 4 * limb);
}

/* Takes 2^255 off if it is there, and adds 19 for it. */
static void reduce(field number)
{
    uint64_t carry = (uint64_t)(number[LIMBS - 1] >> 31) * 19;
    number[LIMBS - 1] &= UINT32_C(0x7FFFFFFF);
    for (int limb = 0; limb < LIMBS; limb++) {
        carry += number[limb];
        number[limb] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* The number itself, from 0 to 2^255 - 20. */
static void store(uint8_t bytes[TSL_KEY], const field one)
{
    field number, less;
    memcpy(number, one, sizeof number);
    reduce(number);
    reduce(number);
    uint64_t carry = 19;
    for (int limb = 0; limb < LIMBS; limb++) {
        carry += number[limb];
        less[limb] = (uint32_t)carry;
        carry >>= 32;
    }
    const uint32_t fits = less[LIMBS - 1] >> 31; /* the number is 2^255 - 19 or more: `less` is the rest */
    less[LIMBS - 1] &= UINT32_C(0x7FFFFFFF);
    exchange(number, less, fits);
    for (int limb = 0; limb < LIMBS; limb++)
        tsl_put_u32(bytes + 4 * limb, number[limb]);
}

void tsl_x25519_start(struct tsl_x25519 *work, const uint8_t secret[TSL_KEY], const uint8_t point[TSL_KEY])
{
    memset(work, 0, sizeof *work);
    memcpy(work->secret, secret, TSL_KEY);
    work->secret[0] &= 0xF8;
    work->secret[TSL_KEY - 1] = (uint8_t)((work->secret[TSL_KEY - 1] & 0x7F) | 0x40);
    load(work->base, point);
    work->base[LIMBS - 1] &= UINT32_C(0x7FFFFFFF);
    memcpy(work->x3, work->base, sizeof work->x3);
    work->x2[0] = work->z3[0] = 1;
}

static uint32_t bit_of(const uint8_t *bytes, unsigned bit)
{
    return (uint32_t)(bytes[bit / 8] >> (bit % 8)) & 1;
}

static void climb(struct tsl_x25519 *work, unsigned bit)
{
    const uint32_t set = bit_of(work->secret, bit);
    field sum, difference, product;
    exchange(work->x2, work->x3, work->swap ^ set);
    exchange(work->z2, work->z3, work->swap ^ set);
    work->swap = (uint8_t)set;
    add(sum, work->x2, work->z2);
    subtract(difference, work->x2, work->z2);
    add(work->z2, work->x3, work->z3);
    subtract(work->x3, work->x3, work->z3);
    multiply(work->z3, work->x3, sum);         /* DA */
    multiply(product, work->z2, difference);   /* CB */
    add(work->x3, work->z3, product);
    multiply(work->x3, work->x3, work->x3);
    subtract(work->z3, work->z3, product);
    multiply(work->z3, work->z3, work->z3);
    multiply(work->z3, work->z3, work->base);
    multiply(sum, sum, sum);                      /* AA */
    multiply(difference, difference, difference); /* BB */
    multiply(work->x2, sum, difference);
    subtract(difference, sum, difference); /* E */
    multiply_small(product, difference, A24);
    add(product, product, sum);
    multiply(work->z2, difference, product);
}

/* Raises z2 to 2^255 - 21 in x3, from the highest bit of the exponent on: all are set but two of the lowest. */
static void invert(struct tsl_x25519 *work, int bit)
{
    multiply(work->x3, work->x3, work->x3);
    if (bit != 2 && bit != 4)
        multiply(work->x3, work->x3, work->z2);
}

static void begin_inversion(struct tsl_x25519 *work)
{
    exchange(work->x2, work->x3, work->swap);
    exchange(work->z2, work->z3, work->swap);
    memset(work->x3, 0, sizeof work->x3);
    work->x3[0] = 1;
}

bool tsl_x25519_step(struct tsl_x25519 *work)
{
    const unsigned step = work->step;
    if (step < LADDER) {
        climb(work, LADDER - 1 - step);
    } else if (step < LADDER + INVERSION) {
        if (step == LADDER)
            begin_inversion(work);
        const int highest = LADDER - 1 - (int)(step - LADDER) * BITS_IN_A_STEP;
        for (int bit = highest; bit > highest - BITS_IN_A_STEP; bit--)
            invert(work, bit);
    } else {
        return true;
    }
    work->step++;
    return work->step == LADDER + INVERSION;
}

bool tsl_x25519_result(struct tsl_x25519 *work, uint8_t result[TSL_KEY])
{
    static const uint8_t zero[TSL_KEY] = {0};
    multiply(work->x2, work->x2, work->x3);
    store(result, work->x2);
    tsl_erase(work, sizeof *work);
    return !tsl_same(result, zero, TSL_KEY);
}
