#include "tsl_window.h"

enum { HALF = 32768 };

void tsl_receiver_start(struct tsl_receiver *receiver, struct tsl_counters *counters)
{
    *receiver = (struct tsl_receiver){
        .counters = counters, .promised = 1, .offer = TSL_WINDOW, .due_at = TSL_NO_DEADLINE};
}

uint8_t tsl_receiver_credit(const struct tsl_receiver *receiver)
{
    return receiver->promised > receiver->offer ? receiver->promised : receiver->offer;
}

static void owe(struct tsl_receiver *receiver, uint64_t now)
{
    if (now + TSL_ACKNOWLEDGE < receiver->due_at)
        receiver->due_at = now + TSL_ACKNOWLEDGE;
}

static void refuse(struct tsl_receiver *receiver, uint16_t ahead, uint64_t now)
{
    if (ahead >= HALF) {
        receiver->counters->duplicates++;
        owe(receiver, now);
        return;
    }
    receiver->counters->out_of_order++;
    if (!receiver->complained)
        receiver->complained = receiver->nak_due = true;
}

bool tsl_receiver_take(struct tsl_receiver *receiver, uint16_t sequence, uint64_t now)
{
    const uint16_t ahead = (uint16_t)(sequence - receiver->expected);
    if (ahead != 0) {
        refuse(receiver, ahead, now);
        return false;
    }
    if (tsl_receiver_credit(receiver) == 0) {
        receiver->counters->credit++;
        return false;
    }
    receiver->expected++;
    receiver->complained = false;
    if (receiver->promised > 0)
        receiver->promised--;
    owe(receiver, now);
    return true;
}

uint64_t tsl_receiver_deadline(const struct tsl_receiver *receiver)
{
    const bool risen = receiver->offer > 0 && receiver->promised == 0;
    return receiver->nak_due || risen ? 0 : receiver->due_at;
}

void tsl_receiver_answered(struct tsl_receiver *receiver)
{
    receiver->promised = tsl_receiver_credit(receiver);
    receiver->due_at = TSL_NO_DEADLINE;
}
