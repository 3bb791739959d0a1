/* An update by itself: what becomes of an image. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "flash_ram.h"
#include "hex.h"
#include "tsl_message.h"
#include "tsl_update.h"

static struct flash_ram memory;
static uint8_t image[FLASH_RAM_SLOT];

/* Gives a block for each that is asked for, as a host does. */
static void transfer(struct tsl_update *update, size_t size)
{
    uint32_t offset = 0;
    while (tsl_update_ask(update, &offset)) {
        tsl_Block block = {.offset = offset};
        const size_t left = size - offset;
        block.data.size = (pb_size_t)(left < TSL_BLOCK ? left : TSL_BLOCK);
        memcpy(block.data.bytes, image + offset, block.data.size);
        (void)tsl_update_block(update, &block);
    }
}

/* CLASS HARDWARE PUBLIC-KEY PAYLOAD IMAGE: the verdict on an UpdateBegin and what its blocks hold. */
static void judge(char *const *words)
{
    uint8_t maker[TSL_PUBLIC_KEY], payload[TSL_LONGEST_PAYLOAD];
    struct tsl_flash flash = flash_ram(&memory, FLASH_RAM_SLOT);
    struct tsl_slots slots;
    struct tsl_update update;
    tsl_Frame frame;
    memset(&memory, 0, sizeof memory);
    hex_read_exactly(words[2], maker, sizeof maker);
    const size_t size = hex_read(words[3], payload, sizeof payload);
    if (tsl_message_read(payload, size, &frame) != TSL_READ) {
        puts("unreadable");
        return;
    }
    tsl_slots_open(&slots, &flash,
                   &(struct tsl_product){
                       .device_class = (enum tsl_class)bench_number(words[0]), .hardware = words[1], .maker = maker});
    tsl_update_init(&update, &slots, 0);
    const struct tsl_outcome outcome = tsl_update_run(&update, &frame.message.command, 0);
    transfer(&update, hex_read(words[4], image, sizeof image));
    if (outcome.status == TSL_RANGE)
        puts("range");
    else if (outcome.status != TSL_DONE)
        puts("signature");
    else
        puts(tsl_slots_state(&slots) == TSL_SLOT_WHOLE ? "good" : "image");
}

const struct verb UPDATE_VERBS[] = {{"judge", 5, judge}, {NULL, 0, NULL}};
