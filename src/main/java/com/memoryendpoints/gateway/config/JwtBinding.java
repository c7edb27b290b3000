package com.memoryendpoints.gateway.config;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Binds the section {@code jwt}. */
final class JwtBinding {
  private final Settings section;
  private final StateHome home;

  JwtBinding(Settings section, StateHome home) {
    this.section = section;
    this.home = home;
  }

  /** Null where no keys are set, and then nothing else of it may be. */
  Config.@Nullable Jwt jwt() {
    boolean inFile = section.has("jwks");
    boolean byUrl = section.has("jwks_url");
    Config.Jwt jwt =
        new Config.Jwt(
            section.optional("jwks", text -> Readings.readableFile(text, home)),
            section.optional("jwks_url", Readings::httpsUrl),
            authorities(byUrl),
            needed("issuer", inFile || byUrl),
            needed("audience", inFile || byUrl),
            algorithms(),
            section.integer("leeway_seconds", 0, Limits.JWT_LEEWAY_SECONDS_MAX),
            section.required("tenant_claim", "", Readings::present),
            section.required("principal_claim", "", Readings::present),
            section.required("scopes_claim", "", Readings::present),
            section.required("scope_prefix", "", text -> text));
    if (inFile && byUrl) {
      section.fault("jwks_url", "is set, and jwks too; keys come from one of the two");
    }
    section.refuseUnknown();
    return inFile || byUrl ? jwt : null;
  }

  private @Nullable Path authorities(boolean byUrl) {
    Path file = section.optional("jwks_ca", text -> Readings.readableFile(text, home));
    if (file != null && !byUrl) {
      section.fault("jwks_ca", "is set, but jwks_url is not; nothing else is fetched");
    }
    return file;
  }

  private String needed(String key, boolean on) {
    String text = section.optional(key, Readings::present);
    if (on && !section.has(key)) {
      section.fault(key, "is missing; tokens that say nothing of it are not good");
    } else if (!on && text != null) {
      section.fault(key, "is set, but neither jwks nor jwks_url is; without keys no JWT is good");
    }
    return text == null ? "" : text;
  }

  private Set<JwtAlgorithm> algorithms() {
    List<JwtAlgorithm> named = section.each("algorithms", Readings::jwtAlgorithm);
    if (named.isEmpty()) {
      section.fault("algorithms", "must have at least one of RS256, PS256, ES256");
      return EnumSet.noneOf(JwtAlgorithm.class);
    }
    return EnumSet.copyOf(named);
  }
}
