package com.memoryendpoints.gateway.config;

/**
 * Every bound of the gateway that nobody sets, named with its unit. The bounds are checked against
 * each other when this class is loaded, so a jar in which they contradict each other does not
 * start.
 */
public final class Limits {

  // The ladder of deadlines: each step must be able to fail before the one that waits for it.

  /** How long a caller waits for us, in the advice that we give. */
  public static final int CLIENT_MS = 5_000;

  /** From a request's arrival to its answer, whatever the database does. */
  public static final int REQUEST_MS_MAX = 3_000;

  /** {@code statement_timeout} of the gateway's connections. */
  public static final int STATEMENT_MS_MAX = 2_000;

  /** How long a batch member whose row is busy is sent again before it is answered {@code busy}. */
  public static final int BUSY_ROW_MS_MAX = 250;

  // The way to the database.

  /** A request that has waited longer is dropped, not sent: its answer would come too late. */
  public static final int QUEUE_MS_MAX = 2_500;

  /** A request in flight is answered by then, whether or not its statement is. */
  public static final int ANSWER_MS_MAX = 2_900;

  /** How often deadlines are looked at; each may pass by so much. */
  public static final int WATCH_MS = 50;

  /** A statement in flight for longer is given up, and its connection with it. */
  public static final int STATEMENT_GIVEN_UP_MS = STATEMENT_MS_MAX + 250;

  /** Time for a connection to open, prove itself and prepare. */
  public static final int CONNECT_MS_MAX = 4_000;

  /** The first pause before another attempt to connect; it doubles from there. */
  public static final int RECONNECT_MS_MIN = 50;

  /** The longest pause before another attempt to connect. */
  public static final int RECONNECT_MS_MAX = 2_000;

  /** Without a connection for longer, requests are refused at once instead of waiting for one. */
  public static final int OUTAGE_RIDDEN_OUT_MS_MAX = 1_500;

  /** An idle connection is tried this often. */
  public static final int IDLE_CHECK_MS = 30_000;

  /** While a tenant's oldest request has waited for longer, more are refused at once. */
  public static final int WAITING_MS_MAX = 1_000;

  /** Requests of one kind that wait on one event loop. */
  public static final int WAITING_MAX = 8_192;

  /** Requests of one kind and one tenant that wait on one event loop. */
  public static final int WAITING_PER_TENANT_MAX = 4_096;

  // Leases.

  /** The shortest lease, in seconds. */
  public static final int LEASE_TTL_SECONDS_MIN = 1;

  /** The longest lease, in seconds. */
  public static final int LEASE_TTL_SECONDS_MAX = 300;

  /** The lease of a claim that does not say. */
  public static final int LEASE_TTL_SECONDS_DEFAULT = 30;

  // Pools.

  /** Identifiers of one claim. */
  public static final int POOL_CLAIM_COUNT_MAX = 1_000;

  /** Identifiers that are loaded together, all or none. */
  public static final int POOL_LOAD_ROWS_MAX = 10_000;

  /** Bodies of identifiers that one event loop loads at a time. */
  public static final int POOL_LOADS_MAX = 8;

  /** Of them for one tenant, so that its slow ones keep nobody else's out. */
  public static final int POOL_LOADS_PER_TENANT_MAX = 4;

  /** Bytes of a load that must come in the time that another body has to come whole. */
  public static final int POOL_LOAD_BYTES_MIN = 16_384;

  /** Lapses after which an identifier is dead, where a pool says so. */
  public static final int POOL_ATTEMPTS_MAX = 1_000;

  /** How long after its lapse a hold is left alone by those who reclaim, at most. */
  public static final int POOL_RECLAIM_GRACE_MS_MAX = 60_000;

  /** The same in a pool that does not say. */
  public static final int POOL_RECLAIM_GRACE_MS_DEFAULT = 250;

  /** The longest delay of a release. */
  public static final int RELEASE_DELAY_SECONDS_MAX = 86_400;

  // Batches and lists.

  /** Items of one batch call. */
  public static final int BATCH_ITEMS_MAX = 1_000;

  /** Requests that one statement decides. */
  public static final int STATEMENT_ROWS_MAX = 128;

  /** The longest page of a list. */
  public static final int LIST_LIMIT_MAX = 1_000;

  /** The page of a list call that does not say. */
  public static final int LIST_LIMIT_DEFAULT = 100;

  // HTTP.

  /** The body of a single call. */
  public static final int BODY_BYTES_MAX = 16 << 10;

  /** The body of a batch call. */
  public static final int BATCH_BODY_BYTES_MAX = 1 << 20;

  /** Nesting of a JSON body. */
  public static final int JSON_DEPTH_MAX = 8;

  /** Header fields of one request. */
  public static final int HEADER_FIELDS_MAX = 50;

  /** Streams of one HTTP/2 connection that are open at a time. */
  public static final int STREAMS_MAX = 100;

  /** Streams that one HTTP/2 connection may reset in this time; with more it ends. */
  public static final int STREAM_RESETS_MAX = 200;

  /** The time for that. */
  public static final int STREAM_RESETS_SECONDS = 30;

  /** Bytes of answers that wait for an HTTP/2 peer to take them; with more it is not served. */
  public static final int UNREAD_BYTES_MAX = 1 << 20;

  /** Bytes of bodies of one HTTP/2 connection that are in memory; what is more is not served. */
  public static final int KEPT_BODIES_BYTES_MAX = 4 << 20;

  /** A TLS handshake that has not ended by then is cut. */
  public static final int TLS_HANDSHAKE_SECONDS_MAX = 10;

  /** An idle keep-alive connection is closed after this. */
  public static final int IDLE_SECONDS_MAX = 60;

  /** A header or a body that is not complete by then is cut. */
  public static final int UNFINISHED_REQUEST_SECONDS_MAX = 10;

  // Strings from callers.

  /** {@code owner_client_id}, {@code reference}, {@code reason}, {@code principal}. */
  public static final int OWNER_CODE_POINTS_MAX = 255;

  // Idempotency.

  /** A key older, or further ahead, than this by its own timestamp is refused. */
  public static final int IDEMPOTENCY_KEY_HOURS_MAX = 24;

  // Tokens.

  /** From a revocation or a suspension to the last request that is served all the same. */
  public static final int TOKEN_KNOWN_MS_MAX = 30_000;

  /** Digests that one event loop remembers, of good tokens and of others: some 3 MB. */
  public static final int TOKENS_KNOWN_MAX = 10_000;

  /** A request whose token was looked up for longer is not served. */
  public static final int TOKEN_LOOK_UP_MS_MAX = 2_000;

  /** The longest life of a token that expires: ten years. */
  public static final int TOKEN_DAYS_MAX = 3_660;

  // Quotas.

  /** For how long a gateway believes what was counted. */
  public static final int QUOTA_COUNT_BELIEVED_MS = 1_000;

  /** And for so many times as long as it took to count. */
  public static final int QUOTA_COUNT_SHARE = 20;

  /** How long a request waits for it, where the last count leaves no room. */
  public static final int QUOTA_WAIT_MS_MAX = 1_000;

  // Tokens of an identity provider.

  /** A longer JWT is not looked at. */
  public static final int JWT_CHARS_MAX = 8 << 10;

  /** Nesting of a JWT's header and claims. */
  public static final int JWT_DEPTH_MAX = 16;

  /** How far the provider's clock may be off. */
  public static final int JWT_LEEWAY_SECONDS_MAX = 30;

  /** Threads that check signatures. */
  public static final int JWT_THREADS = 2;

  /** JWTs that wait for one of them; at 3 ms each the last is checked within 0.4 s. */
  public static final int JWT_CHECKS_MAX = 256;

  /** Requests of one event loop that wait for keys to be fetched. */
  public static final int JWKS_WAITING_MAX = 64;

  /** How long such a request waits. */
  public static final int JWKS_WAIT_MS_MAX = 1_000;

  /** The body of a JSON Web Key Set. */
  public static final int JWKS_BYTES_MAX = 64 << 10;

  /** For a connection to the provider of keys, and once more for its TLS. */
  public static final int JWKS_CONNECT_MS_MAX = 2_000;

  /** For keys to be fetched by it, from the first byte to the last. */
  public static final int JWKS_FETCH_MS_MAX = 5_000;

  /** From one fetch of keys to the next, whoever asks for it. */
  public static final int JWKS_REFRESH_MS_MIN = 60_000;

  /** The same when nobody asks for it, and the last was answered. */
  public static final int JWKS_REFRESH_MS_MAX = 300_000;

  /** The shortest RSA key that is used (RFC 7518 section 3.3). */
  public static final int JWKS_RSA_BITS_MIN = 2_048;

  // What operators may set.

  /** The highest TCP port. */
  public static final int PORT_MAX = 65_535;

  /** Event loops that serve the API. */
  public static final int EVENT_LOOPS_MAX = 256;

  /** Connections of one event loop. */
  public static final int CONNECTIONS_PER_EVENT_LOOP_MAX = 64;

  /** The longest pause between two looks at the files of a certificate: an hour. */
  public static final int TLS_RELOAD_SECONDS_MAX = 3_600;

  /** Bearer tokens in the configuration. */
  public static final int CONFIGURED_TOKENS_MAX = 10_000;

  /** Requests per second, and the burst, of the rate limit. */
  public static final int RATE_LIMIT_REQUESTS_MAX = 1_000_000;

  /** What a tenant may have of anything. */
  public static final long QUOTA_MAX = 1_000_000_000_000L;

  /** Renewals and releases for each request of the rate limit. */
  public static final int RATE_LIMIT_UPKEEP_FACTOR_MAX = 100;

  /** Callers whose buckets are kept, for each limit; of more, the least seen start afresh. */
  public static final int RATE_LIMIT_CALLERS_MAX = 1 << 16;

  /** The configured part of a fencing token's epoch; twelve of its thirteen bits. */
  public static final int FENCING_EPOCH_BASE_MAX = 4_095;

  /** Of requests that are logged by sample, one in so many. */
  public static final int LOG_SAMPLED_ONE_IN_MAX = 1_000_000;

  /** How long a gateway that was told to stop still takes new connections. */
  public static final int SHUTDOWN_DELAY_SECONDS_MAX = 300;

  /** How long what is open may take to end, after that. */
  public static final int SHUTDOWN_GRACE_SECONDS_MAX = 3_600;

  /** How long audit events are kept: ten years. */
  public static final int AUDIT_RETENTION_DAYS_MAX = 3_660;

  /** The bytes of {@code audit.key}, exactly. */
  public static final int AUDIT_KEY_BYTES = 32;

  static {
    require(BUSY_ROW_MS_MAX < STATEMENT_MS_MAX, "a busy row is given up before its statement is");
    require(STATEMENT_MS_MAX < REQUEST_MS_MAX, "a statement can fail before its request does");
    require(STATEMENT_GIVEN_UP_MS < QUEUE_MS_MAX, "what was given up can be sent once more");
    require(WAITING_MS_MAX < QUEUE_MS_MAX, "a long wait is noticed before it is too long");
    require(QUEUE_MS_MAX < ANSWER_MS_MAX, "what is sent can be answered");
    require(ANSWER_MS_MAX + WATCH_MS < REQUEST_MS_MAX, "deadlines are looked at in time");
    require(OUTAGE_RIDDEN_OUT_MS_MAX < QUEUE_MS_MAX, "an outage is noticed before the queue ages");
    require(RECONNECT_MS_MIN < RECONNECT_MS_MAX, "the pause can double");
    require(BATCH_ITEMS_MAX <= WAITING_PER_TENANT_MAX, "one batch call can wait");
    require(WAITING_PER_TENANT_MAX < WAITING_MAX, "one tenant cannot fill the queue");
    require(BATCH_BODY_BYTES_MAX < KEPT_BODIES_BYTES_MAX, "one body fits its connection");
    require(REQUEST_MS_MAX < CLIENT_MS, "a request is answered before its caller gives up");
    require(
        REQUEST_MS_MAX < UNFINISHED_REQUEST_SECONDS_MAX * 1_000,
        "a request that is being answered is not cut");
    require(
        TOKEN_LOOK_UP_MS_MAX + ANSWER_MS_MAX + WATCH_MS < CLIENT_MS,
        "a look-up leaves time for the request");
    require(OUTAGE_RIDDEN_OUT_MS_MAX < TOKEN_LOOK_UP_MS_MAX, "a look-up can ride out an outage");
    require(JWKS_WAIT_MS_MAX < TOKEN_LOOK_UP_MS_MAX, "who waited for keys can be looked up");
    require(QUOTA_WAIT_MS_MAX < CLIENT_MS - REQUEST_MS_MAX, "who waited for a count is answered");
    require(
        2 * JWKS_CONNECT_MS_MAX + JWKS_FETCH_MS_MAX < JWKS_REFRESH_MS_MIN,
        "one fetch ends before the next");
    require(JWKS_REFRESH_MS_MIN < JWKS_REFRESH_MS_MAX, "a key that is not known is sooner");
    require(UNFINISHED_REQUEST_SECONDS_MAX < IDLE_SECONDS_MAX, "idle is longer than unfinished");
    require(0 < LEASE_TTL_SECONDS_MIN, "a lease lasts");
    require(LEASE_TTL_SECONDS_MIN <= LEASE_TTL_SECONDS_DEFAULT, "the default ttl is allowed");
    require(LEASE_TTL_SECONDS_DEFAULT <= LEASE_TTL_SECONDS_MAX, "the default ttl is allowed");
    require(STATEMENT_ROWS_MAX <= BATCH_ITEMS_MAX, "one call can fill a statement");
    require(LIST_LIMIT_DEFAULT <= LIST_LIMIT_MAX, "the default page is allowed");
    require(BODY_BYTES_MAX <= BATCH_BODY_BYTES_MAX, "a batch holds what a single call holds");
    require(
        OWNER_CODE_POINTS_MAX * 12 < BODY_BYTES_MAX, "the longest owner fits a body, all escaped");
    require(
        LEASE_TTL_SECONDS_MAX < IDEMPOTENCY_KEY_HOURS_MAX * 3_600,
        "a lease's key is known as long as the lease lives");
    require(
        RATE_LIMIT_REQUESTS_MAX <= 1_000_000_000 / RATE_LIMIT_UPKEEP_FACTOR_MAX,
        "a bucket fills by at most one token a nanosecond");
    require(FENCING_EPOCH_BASE_MAX < 1 << 13, "epoch << 40 stays below 2^53");
  }

  private Limits() {}

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new ExceptionInInitializerError("The limits contradict each other: " + what + ".");
    }
  }
}
