#include "tsl_greeting.h"

#include <string.h>

#include "tsl_codes.h"
#include "tsl_crypto.h"
#include "tsl_proof.h"
#include "tsl_text.h"

const uint8_t TSL_SCHEMA[TSL_ID] = {0x3F, 0x47, 0xA3, 0xF8, 0xAB, 0x04, 0x64, 0x4A};

static void write_payload(const tsl_Frame *frame, struct tsl_payload *payload)
{
    payload->size = (uint8_t)tsl_message_write(frame, payload->bytes, sizeof payload->bytes);
}

static void keep_payload(const struct tsl_frame *frame, struct tsl_payload *payload)
{
    memcpy(payload->bytes, frame->payload, frame->size);
    payload->size = frame->size;
}

static bool is_payload(const struct tsl_frame *frame, const struct tsl_payload *payload)
{
    return frame->size == payload->size && memcmp(frame->payload, payload->bytes, frame->size) == 0;
}

static void refuse(const uint8_t nonce[TSL_NONCE], enum tsl_refusal reason, const char *words,
                   struct tsl_payload *says)
{
    tsl_Frame frame = {.which_message = tsl_Frame_refuse_tag};
    tsl_Refuse *refusal = &frame.message.refuse;
    refusal->echo.size = TSL_NONCE;
    memcpy(refusal->echo.bytes, nonce, TSL_NONCE);
    refusal->reason = reason;
    tsl_copy_text(refusal->text, words);
    write_payload(&frame, says);
}

void tsl_greeting_init(struct tsl_greeting *greeting, const struct tsl_port *port, const uint8_t key[TSL_KEY],
                       bool sealed)
{
    memset(greeting, 0, sizeof *greeting);
    greeting->port = port;
    greeting->key = key;
    greeting->sealed = sealed;
}

static enum tsl_seal_kind seal_of(const struct tsl_greeting *greeting)
{
    return greeting->sealed ? TSL_SEAL_SEALED : TSL_SEAL_NONE;
}

static bool has_our_schema(const tsl_Hello *hello)
{
    return hello->schema.size == TSL_ID && memcmp(hello->schema.bytes, TSL_SCHEMA, TSL_ID) == 0;
}

static struct tsl_text wrong_version(const tsl_Hello *hello)
{
    struct tsl_text text = tsl_text("version ");
    tsl_text_add_number(&text, hello->major);
    tsl_text_add(&text, ".");
    tsl_text_add_number(&text, hello->minor);
    tsl_text_add(&text, ", this device speaks ");
    tsl_text_add_number(&text, TSL_MAJOR);
    tsl_text_add(&text, ".");
    tsl_text_add_number(&text, TSL_MINOR);
    return text;
}

static struct tsl_text wrong_schema(const tsl_Hello *hello)
{
    struct tsl_text text = tsl_text("schema ");
    tsl_text_add_hex(&text, hello->schema.bytes, hello->schema.size);
    tsl_text_add(&text, ", this device has ");
    tsl_text_add_hex(&text, TSL_SCHEMA, TSL_ID);
    return text;
}

/* Whether a host that speaks so is refused; then `says` does it. */
static bool objects(const struct tsl_greeting *greeting, const tsl_Hello *hello, struct tsl_payload *says)
{
    enum tsl_refusal reason;
    struct tsl_text text;
    if (hello->major != TSL_MAJOR) {
        reason = TSL_REFUSE_VERSION;
        text = wrong_version(hello);
    } else if (hello->minor == TSL_MINOR && !has_our_schema(hello)) {
        reason = TSL_REFUSE_SCHEMA;
        text = wrong_schema(hello);
    } else if (hello->seal != (uint32_t)seal_of(greeting)) {
        reason = TSL_REFUSE_SEAL;
        text = tsl_text(greeting->sealed ? "this device has a key" : "this device has no key");
    } else {
        return false;
    }
    refuse(hello->nonce.bytes, reason, text.bytes, says);
    return true;
}

static void begin(struct tsl_greeting *greeting, const tsl_Hello *hello, const struct tsl_frame *frame,
                  const tsl_Hello *own, uint64_t now)
{
    tsl_Frame answer = {.which_message = tsl_Frame_hello_tag};
    tsl_Hello *says = &answer.message.hello;
    *says = *own;
    says->seal = seal_of(greeting);
    says->nonce.size = says->echo.size = TSL_NONCE;
    greeting->port->draw(greeting->port->self, says->nonce.bytes, TSL_NONCE);
    memcpy(says->echo.bytes, hello->nonce.bytes, TSL_NONCE);
    memcpy(greeting->host_nonce, hello->nonce.bytes, TSL_NONCE);
    keep_payload(frame, &greeting->hello);
    write_payload(&answer, &greeting->answer);
    tsl_transcript(frame->payload, frame->size, greeting->answer.bytes, greeting->answer.size, greeting->transcript);
    greeting->since = now;
    greeting->pending = true;
}

enum tsl_greeted tsl_greeting_hello(struct tsl_greeting *greeting, const tsl_Hello *hello,
                                    const struct tsl_frame *frame, const tsl_Hello *own, uint64_t now,
                                    struct tsl_payload *says)
{
    if (hello->side != TSL_HOST || hello->nonce.size != TSL_NONCE)
        return TSL_NOT_FOR_US;
    if (objects(greeting, hello, says))
        return TSL_ANSWERED;
    const bool again = greeting->pending && is_payload(frame, &greeting->hello);
    if (!again || now - greeting->since >= TSL_SAME_ANSWER)
        begin(greeting, hello, frame, own, now);
    *says = greeting->answer;
    return TSL_ANSWERED;
}

static bool is_of_pending(const struct tsl_greeting *greeting, const tsl_Proof *proof)
{
    return greeting->pending && proof->side == TSL_HOST && proof->transcript.size == TSL_ID &&
           memcmp(proof->transcript.bytes, greeting->transcript, TSL_ID) == 0;
}

static bool is_good(const struct tsl_greeting *greeting, const tsl_Proof *proof)
{
    uint8_t mac[TSL_HASH];
    tsl_mac(TSL_HOST, greeting->key, greeting->transcript, mac);
    return proof->mac.size == TSL_HASH && tsl_same(proof->mac.bytes, mac, TSL_HASH);
}

static void prove(const struct tsl_greeting *greeting, struct tsl_payload *says)
{
    tsl_Frame frame = {.which_message = tsl_Frame_proof_tag};
    tsl_Proof *proof = &frame.message.proof;
    proof->side = TSL_DEVICE;
    proof->transcript.size = TSL_ID;
    memcpy(proof->transcript.bytes, greeting->transcript, TSL_ID);
    proof->mac.size = TSL_HASH;
    tsl_mac(TSL_DEVICE, greeting->key, greeting->transcript, proof->mac.bytes);
    write_payload(&frame, says);
}

enum tsl_greeted tsl_greeting_proof(struct tsl_greeting *greeting, const tsl_Proof *proof,
                                    const struct tsl_frame *frame, struct tsl_payload *says)
{
    if (greeting->installed && is_payload(frame, &greeting->proof)) {
        *says = greeting->proof_answer;
        return TSL_ANSWERED;
    }
    if (!is_of_pending(greeting, proof))
        return TSL_NOT_FOR_US;
    if (!is_good(greeting, proof)) {
        refuse(greeting->host_nonce, TSL_REFUSE_PROOF, "the proof is of another key", says);
        return TSL_PROVED_WRONG;
    }
    keep_payload(frame, &greeting->proof);
    prove(greeting, &greeting->proof_answer);
    greeting->pending = false;
    greeting->installed = true;
    *says = greeting->proof_answer;
    return TSL_BEGINS;
}

void tsl_greeting_forget(struct tsl_greeting *greeting)
{
    greeting->installed = false;
}
