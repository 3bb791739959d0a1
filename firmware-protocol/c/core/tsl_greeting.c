#include "tsl_greeting.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_codes.h"
#include "tsl_text.h"

static const uint8_t BASE_POINT[TSL_KEY] = {9};

const uint8_t TSL_SCHEMA[TSL_ID] = {0xF4, 0xF6, 0x3B, 0x08, 0x33, 0x02, 0x0D, 0xF9};

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

void tsl_greeting_init(struct tsl_greeting *greeting, struct tsl_random *random)
{
    memset(greeting, 0, sizeof *greeting);
    greeting->random = random;
}

static bool is_sealed(const struct tsl_greeting *greeting)
{
    return greeting->random->record.sealed;
}

/* How many bytes a share has. */
static size_t share_size(const struct tsl_greeting *greeting)
{
    return is_sealed(greeting) ? TSL_KEY : 0;
}

static enum tsl_seal_kind seal_of(const struct tsl_greeting *greeting)
{
    return is_sealed(greeting) ? TSL_SEAL_SEALED : TSL_SEAL_NONE;
}

static bool has_our_schema(const tsl_Hello *hello)
{
    return hello->schema.size == TSL_ID && memcmp(hello->schema.bytes, TSL_SCHEMA, TSL_ID) == 0;
}

static void explain_version(const tsl_Hello *hello, struct tsl_text *why)
{
    tsl_text_add_with(why, "version #.#", hello->major, hello->minor);
    tsl_text_add_with(why, ", this device speaks #.#", TSL_MAJOR, TSL_MINOR);
}

static void explain_schema(const tsl_Hello *hello, struct tsl_text *why)
{
    tsl_text_add(why, "schema ");
    tsl_text_add_hex(why, hello->schema.bytes, hello->schema.size);
    tsl_text_add(why, ", this device has ");
    tsl_text_add_hex(why, TSL_SCHEMA, TSL_ID);
}

/* Whether a host that speaks so is refused; then `says` does it. */
static bool objects(const struct tsl_greeting *greeting, const tsl_Hello *hello, struct tsl_payload *says)
{
    enum tsl_refusal reason;
    struct tsl_text why = {.size = 0};
    if (hello->major != TSL_MAJOR) {
        reason = TSL_REFUSE_VERSION;
        explain_version(hello, &why);
    } else if (hello->minor == TSL_MINOR && !has_our_schema(hello)) {
        reason = TSL_REFUSE_SCHEMA;
        explain_schema(hello, &why);
    } else if (hello->seal != (uint32_t)seal_of(greeting)) {
        reason = TSL_REFUSE_SEAL;
        tsl_text_add(&why, is_sealed(greeting) ? "this device has a key" : "this device has no key");
    } else {
        return false;
    }
    refuse(hello->nonce.bytes, reason, why.bytes, says);
    return true;
}

/* False: no nonce may be drawn. */
static bool begin(struct tsl_greeting *greeting, const tsl_Hello *hello, const struct tsl_frame *frame,
                  const tsl_Hello *own, uint64_t now)
{
    tsl_Frame answer = {.which_message = tsl_Frame_hello_tag};
    tsl_Hello *says = &answer.message.hello;
    *says = *own;
    says->seal = seal_of(greeting);
    says->nonce.size = says->echo.size = TSL_NONCE;
    if (!tsl_random_nonce(greeting->random, says->nonce.bytes))
        return false;
    memcpy(says->echo.bytes, hello->nonce.bytes, TSL_NONCE);
    memcpy(greeting->host_nonce, hello->nonce.bytes, TSL_NONCE);
    keep_payload(frame, &greeting->hello);
    write_payload(&answer, &greeting->answer);
    tsl_transcript(frame->payload, frame->size, greeting->answer.bytes, greeting->answer.size, greeting->transcript);
    greeting->since = now;
    greeting->pending = true;
    return true;
}

/* A pending handshake is forgotten some time after its answer. */
static void expire(struct tsl_greeting *greeting, uint64_t now)
{
    if (now - greeting->since >= TSL_SAME_ANSWER)
        greeting->pending = false;
}

enum tsl_greeted tsl_greeting_hello(struct tsl_greeting *greeting, const tsl_Hello *hello,
                                    const struct tsl_frame *frame, const tsl_Hello *own, uint64_t now,
                                    struct tsl_payload *says)
{
    if (greeting->computing || hello->side != TSL_HOST || hello->nonce.size != TSL_NONCE)
        return TSL_NOT_FOR_US;
    if (objects(greeting, hello, says))
        return TSL_ANSWERED;
    expire(greeting, now);
    const bool again = greeting->pending && is_payload(frame, &greeting->hello);
    if (!again && !begin(greeting, hello, frame, own, now))
        return TSL_NOT_FOR_US;
    *says = greeting->answer;
    return TSL_ANSWERED;
}

static bool is_of_pending(const struct tsl_greeting *greeting, const tsl_Proof *proof)
{
    return greeting->pending && proof->side == TSL_HOST && proof->transcript.size == TSL_ID &&
           memcmp(proof->transcript.bytes, greeting->transcript, TSL_ID) == 0 &&
           proof->share.size == share_size(greeting);
}

static bool is_good(const struct tsl_greeting *greeting, const tsl_Proof *proof)
{
    uint8_t mac[TSL_HASH];
    tsl_host_mac(greeting->random->record.key, greeting->transcript, proof->share.bytes, proof->share.size, mac);
    return proof->mac.size == TSL_HASH && tsl_same(proof->mac.bytes, mac, TSL_HASH);
}

static void prove(const struct tsl_greeting *greeting, const uint8_t mac[TSL_HASH], struct tsl_payload *says)
{
    tsl_Frame frame = {.which_message = tsl_Frame_proof_tag};
    tsl_Proof *proof = &frame.message.proof;
    proof->side = TSL_DEVICE;
    proof->transcript.size = TSL_ID;
    memcpy(proof->transcript.bytes, greeting->transcript, TSL_ID);
    proof->mac.size = TSL_HASH;
    memcpy(proof->mac.bytes, mac, TSL_HASH);
    proof->share.size = (pb_size_t)share_size(greeting);
    memcpy(proof->share.bytes, greeting->share, share_size(greeting));
    write_payload(&frame, says);
}

static enum tsl_greeted refuse_proof(const struct tsl_greeting *greeting, struct tsl_payload *says)
{
    refuse(greeting->host_nonce, TSL_REFUSE_PROOF, "the proof is of another key", says);
    return TSL_PROVED_WRONG;
}

/* The keys of the session and step 4, from what X25519 made of the shares. */
static enum tsl_greeted install(struct tsl_greeting *greeting, const uint8_t *shared, struct tsl_payload *says)
{
    const struct tsl_shares shares = {greeting->host_share, greeting->share, shared, share_size(greeting)};
    struct tsl_agreement agreement;
    tsl_agree(greeting->random->record.key, greeting->transcript, &shares, &agreement);
    prove(greeting, agreement.device_mac, &greeting->proof_answer);
    greeting->keys = agreement.keys;
    greeting->proof = greeting->hello;
    greeting->installed = true;
    tsl_erase(&agreement, sizeof agreement);
    *says = greeting->proof_answer;
    return TSL_BEGINS;
}

static enum tsl_greeted finish(struct tsl_greeting *greeting, struct tsl_payload *says)
{
    uint8_t shared[TSL_KEY];
    const bool good = tsl_x25519_result(&greeting->work, shared);
    tsl_erase(greeting->secret, sizeof greeting->secret);
    greeting->computing = false;
    const enum tsl_greeted greeted = good ? install(greeting, shared, says) : refuse_proof(greeting, says);
    tsl_erase(shared, sizeof shared);
    return greeted;
}

enum tsl_greeted tsl_greeting_work(struct tsl_greeting *greeting, uint16_t steps, struct tsl_payload *says)
{
    if (!greeting->computing)
        return TSL_NOT_FOR_US;
    for (uint16_t done = 0; steps == 0 || done < steps; done++) {
        if (!tsl_x25519_step(&greeting->work))
            continue;
        if (greeting->has_share)
            return finish(greeting, says);
        (void)tsl_x25519_result(&greeting->work, greeting->share); /* never zero: the base point has no small order */
        tsl_x25519_start(&greeting->work, greeting->secret, greeting->host_share);
        greeting->has_share = true;
    }
    return TSL_COMPUTES;
}

enum tsl_greeted tsl_greeting_proof(struct tsl_greeting *greeting, const tsl_Proof *proof,
                                    const struct tsl_frame *frame, uint64_t now, struct tsl_payload *says)
{
    if (greeting->computing)
        return TSL_NOT_FOR_US;
    if (greeting->installed && is_payload(frame, &greeting->proof)) {
        *says = greeting->proof_answer;
        return TSL_ANSWERED;
    }
    expire(greeting, now);
    if (!is_of_pending(greeting, proof))
        return TSL_NOT_FOR_US;
    if (!is_good(greeting, proof))
        return refuse_proof(greeting, says);
    keep_payload(frame, &greeting->hello);
    greeting->pending = false;
    if (!is_sealed(greeting))
        return install(greeting, NULL, says);
    memcpy(greeting->host_share, proof->share.bytes, TSL_KEY);
    tsl_random_secret(greeting->random, greeting->secret);
    tsl_x25519_start(&greeting->work, greeting->secret, BASE_POINT);
    greeting->computing = true;
    greeting->has_share = false;
    return TSL_COMPUTES;
}

void tsl_greeting_forget(struct tsl_greeting *greeting)
{
    greeting->installed = false;
}
