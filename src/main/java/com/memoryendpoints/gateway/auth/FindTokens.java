package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Many look-ups of tokens, by their SHA-256, as one run of {@code find_tokens.sql}. */
final class FindTokens implements BatchStatement<ByteBuffer, Found> {
  private static final String GRANTED = "granted";

  /** What is to be believed of a digest, unless a token expires sooner. */
  private static final Duration LIFE = Duration.ofMillis(Limits.TOKEN_KNOWN_MS_MAX);

  @Override
  public Sql sql() {
    return Sql.FIND_TOKENS;
  }

  @Override
  public boolean repeatable() {
    return true; // To note a use twice is to note it once.
  }

  @Override
  public Tuple parameters(List<ByteBuffer> digests) {
    return Tuple.of(new Columns<>(digests).bytes(FindTokens::buffer));
  }

  @Override
  public Found answer(ByteBuffer digest, Row row) {
    String verdict = row.getString("verdict");
    if (!verdict.equals(GRANTED)) {
      return new Found(null, verdict, Terms.NONE, LIFE);
    }
    Caller caller = new Caller(row.getUUID("tenant_id"), row.getString("principal"));
    Grant grant = new Grant(caller, scopes(row.getArrayOfStrings("scopes")));
    Long leftMs = row.getLong("left_ms");
    Found found = new Found(grant, verdict, Terms.of(row.getArrayOfLongs("terms")), LIFE);
    return leftMs == null ? found : found.atMost(Duration.ofMillis(leftMs));
  }

  private static Buffer buffer(ByteBuffer digest) {
    byte[] bytes = new byte[digest.remaining()];
    digest.duplicate().get(bytes);
    return Buffer.buffer(bytes);
  }

  private static Set<Scope> scopes(String[] wire) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String scope : wire) {
      Scope.of(scope).ifPresent(scopes::add);
    }
    return scopes;
  }
}
