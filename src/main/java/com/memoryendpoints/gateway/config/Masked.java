package com.memoryendpoints.gateway.config;

import com.memoryendpoints.gateway.tenant.Scope;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The merged tree without its secrets. Whatever is called a key, a password, a secret or a token is
 * masked, so that one that comes later is masked before anybody thinks of it; what of such a value
 * may be shown is put together from the bound configuration.
 */
final class Masked {
  private static final String MASK = "***";
  private static final Pattern SECRET =
      Pattern.compile("(?:.*_)?(?:keys?|pass(?:word|phrase)s?|secrets?|tokens?|credentials?)");

  /** Enough to tell one of a few tokens, too little to try weak ones against. */
  private static final int DIGITS_SHOWN = 8;

  private Masked() {}

  /** The tree as JSON, its keys in order. */
  static String render(ConfigObject tree, Config config) {
    ConfigObject shown =
        masked(tree)
            .toConfig()
            .withValue("database.uri", ConfigValueFactory.fromAnyRef(uri(config.database().uri())))
            .withValue("auth.tokens", ConfigValueFactory.fromAnyRef(tokens(config.auth())))
            .withValue("tls.private_key", ConfigValueFactory.fromAnyRef(file(config.http().tls())))
            .root();
    return shown.render(
        ConfigRenderOptions.defaults().setOriginComments(false).setComments(false).setJson(true));
  }

  private static ConfigObject masked(ConfigObject tree) {
    ConfigObject masked = tree;
    for (Map.Entry<String, ConfigValue> entry : tree.entrySet()) {
      ConfigValue value = entry.getValue();
      if (SECRET.matcher(entry.getKey()).matches()) {
        if (value.valueType() != ConfigValueType.NULL) {
          masked = masked.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(MASK));
        }
      } else if (value instanceof ConfigObject section) {
        masked = masked.withValue(entry.getKey(), masked(section));
      }
    }
    return masked;
  }

  /** Where the key is kept is no secret. */
  private static @Nullable String file(Config.@Nullable Tls tls) {
    return tls == null || tls.privateKey() == null ? null : tls.privateKey().toString();
  }

  private static @Nullable String uri(@Nullable DatabaseUri uri) {
    if (uri == null) {
      return null;
    }
    String shown = uri.toString();
    int at = shown.indexOf(uri.user()) + uri.user().length();
    return uri.password() == null
        ? shown
        : shown.substring(0, at) + ":" + MASK + shown.substring(at);
  }

  private static List<Map<String, Object>> tokens(Config.Auth auth) {
    return auth.tokens().stream().map(Masked::token).toList();
  }

  private static Map<String, Object> token(Config.Token token) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("sha256", token.sha256().substring(0, DIGITS_SHOWN) + MASK);
    shown.put("tenant_id", token.tenantId().toString());
    shown.put("principal", token.principal());
    shown.put("scopes", token.scopes().stream().map(Scope::wire).sorted().toList());
    return shown;
  }
}
