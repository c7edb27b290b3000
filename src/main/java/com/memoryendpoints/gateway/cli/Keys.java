package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.auth.BearerToken;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.config.Secrets;
import com.memoryendpoints.gateway.config.StateDirectory;
import com.memoryendpoints.gateway.tenant.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The secrets that the gateway makes for itself when it is given none. */
public final class Keys {
  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);
  private static final String AUDIT_KEY_FILE = "audit-key";
  private static final String TOKEN_FILE = "dev-token";

  /** The one tenant of a development token; the same everywhere, so that scripts may name it. */
  static final UUID DEVELOPMENT_TENANT = UUID.fromString("0198c0de-0000-7000-8000-00000000d0d0");

  private Keys() {}

  /**
   * The configuration with an audit key: the configured one, or the one that is kept in the state
   * directory, generated at first start.
   */
  public static Config withAuditKey(Config config) {
    if (config.audit().key() != null) {
      return config;
    }
    StateDirectory state = StateDirectory.open(config.directories().state());
    if (!state.has(AUDIT_KEY_FILE)) {
      LOG.warn(
          "audit.key is not set: one is generated and kept in {}. Keep it: without it the names and"
              + " memories of audit events cannot be recognised. Every gateway on the same database"
              + " needs the same key.",
          state.path().resolve(AUDIT_KEY_FILE));
    }
    String text =
        state.secret(AUDIT_KEY_FILE, () -> Base64.getEncoder().encodeToString(Secrets.bytes()));
    return config.with(new SecretKeySpec(decoded(state, text), "HmacSHA256"));
  }

  /**
   * The configuration with the audit key that gateways use, and never a new one.
   *
   * @throws CannotStart when there is none yet
   */
  static Config withExistingAuditKey(Config config) {
    Path file = config.directories().state().resolve(AUDIT_KEY_FILE);
    if (config.audit().key() == null && !Files.exists(file)) {
      throw CannotStart.misconfigured(
          "There is no audit key: audit.key is not set, and no gateway has made the file "
              + file
              + ". Set audit.key as the gateways have it.");
    }
    return withAuditKey(config);
  }

  /**
   * The bearer token for development, minted at first start. Only for the embedded database: anyone
   * who reads the file can do anything.
   */
  public static String developmentToken(Config config) {
    return StateDirectory.open(config.directories().state())
        .secret(TOKEN_FILE, () -> "lgw_dev_" + Secrets.mint());
  }

  /**
   * The configuration in which the development token may do everything, for a tenant of its own.
   */
  public static Config withDevelopmentToken(Config config, String token) {
    return config.with(
        new Config.Token(
            HexFormat.of().formatHex(BearerToken.sha256(token)),
            DEVELOPMENT_TENANT,
            "developer",
            EnumSet.allOf(Scope.class)));
  }

  private static byte[] decoded(StateDirectory state, String text) {
    try {
      byte[] key = Base64.getDecoder().decode(text);
      if (key.length == Limits.AUDIT_KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("not base64", e);
    }
    throw CannotStart.misconfigured(
        "The file "
            + state.path().resolve(AUDIT_KEY_FILE)
            + " does not hold the base64 of "
            + Limits.AUDIT_KEY_BYTES
            + " bytes. Restore it, or remove it and lose the link to earlier audit events.");
  }
}
