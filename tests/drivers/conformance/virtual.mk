# In firmware-protocol/c, after its Makefile: the sample shoe in virtual time, and the same with one part broken
HERE := $(dir $(lastword $(MAKEFILE_LIST)))
REAL := $(patsubst %,sample/%.c,main clock control pty_port)
PARTS := $(CORE) $(MESSAGES) $(PRIMITIVES) $(filter-out $(REAL),$(SAMPLE)) bench/hex.c

.PHONY: virtual broken

virtual: $(BUILD)/tsl-virtual

$(BUILD)/tsl-virtual: $(BUILD)/checked/virtual.o $(BUILD)/tsl-virtual.a
	$(LINK) -o $@.new $^ -lprotobuf-nanopb -lsodium && mv $@.new $@

$(BUILD)/tsl-virtual.a: $(patsubst %.c,$(BUILD)/checked/%.o,$(PARTS))
	rm -f $@.new && ar rcs $@.new $^ && mv $@.new $@

$(BUILD)/checked/virtual.o: $(HERE)virtual.c $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(CHECKED) $(INCLUDES) -Ibench -Isample -c -o $@ $<

# BREAK: a changed copy of a file of core/. What it defines is not taken from the archive; it may give warnings
broken:
	$(LINK) -std=c99 -w $(INCLUDES) -o $(BREAK:.c=) $(BREAK) \
	  $(BUILD)/checked/virtual.o $(BUILD)/tsl-virtual.a -lprotobuf-nanopb -lsodium
