package com.memoryendpoints.gateway.auth;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;

/**
 * The tokens in the database, as one event loop knows them, and confined to it. What the database
 * said of a digest is believed for {@link Limits#TOKEN_KNOWN_MS_MAX}, so that a revocation or a
 * suspension takes effect within that time.
 */
public final class IssuedTokens {
  /** Whose turn a look-up takes: a token's tenant is not known before it. */
  private static final UUID NOBODY = new UUID(0, 0);

  private final Batcher<ByteBuffer, Found> lookUps;
  private final KnownTokens known;

  /**
   * Over the connections of this event loop.
   *
   * @param tenants are told the terms of the tenants whose tokens are looked up
   * @param ticker tells nanoseconds, which only go forward
   */
  public IssuedTokens(Database database, Tenants tenants, Ticker ticker) {
    this.lookUps = database.batcher(Lane.READ, new FindTokens());
    this.known = new KnownTokens(tenants, ticker);
  }

  /**
   * The grant of a token; complete already where it is known.
   *
   * @param sha256 its digest; kept, so not to be changed
   * @return or UNAUTHENTICATED; UNAVAILABLE or OVERLOADED when the database could not be asked
   */
  Future<Grant> grant(ByteBuffer sha256) {
    return known.grant(sha256, () -> lookUps.submit(NOBODY, sha256));
  }

  /** What is known now. */
  Map<ByteBuffer, Found> known() {
    return known.known();
  }
}
