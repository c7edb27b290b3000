package com.memoryendpoints.gateway.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lays the three layers over each other: the defaults, the operator's file, the environment. In one
 * file a later {@code --config FILE} would win over the environment, hence a layer that holds
 * nothing but substitutions.
 */
final class Layers {
  static final String DEFAULTS = "/config/gateway.conf";
  static final String ENVIRONMENT = "/config/environment.conf";

  private static final String OURS = "GATEWAY_";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\?(" + OURS + "[A-Z0-9_]+)}");

  /** What Kubernetes tells every pod about a Service whose name begins with {@code gateway}. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          OURS
              + "(?:\\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\\w+)?"
              + "|PORT_\\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)");

  private final Map<String, String> environment;
  private final List<String> faults = new ArrayList<>();

  Layers(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Faults found so far, besides those of the values. */
  List<String> faults() {
    return faults;
  }

  /** The merged tree, with every substitution resolved. */
  ConfigObject merge(@Nullable Path file) {
    refuseUnknownVariables();
    Config variables = variables();
    Config defaults = parse(DEFAULTS).resolve(ConfigResolveOptions.noSystem());
    Config operators = file == null ? defaults : over(defaults, file, variables);
    Config onTop = parse(ENVIRONMENT).resolveWith(variables, ConfigResolveOptions.noSystem());
    Config merged = operators;
    for (Map.Entry<String, ConfigValue> set : onTop.entrySet()) {
      merged = merged.withValue(set.getKey(), set.getValue());
    }
    return withLists(merged, defaults).root();
  }

  /** A variable brings a list as text; what is none stays as it is, for a fault. */
  private static Config withLists(Config merged, Config defaults) {
    Config read = merged;
    for (Map.Entry<String, ConfigValue> entry : defaults.entrySet()) {
      String key = entry.getKey();
      if (entry.getValue() instanceof ConfigList
          && merged.hasPath(key)
          && merged.getValue(key).valueType() == ConfigValueType.STRING) {
        read = read.withValue(key, parsed(merged.getValue(key)));
      }
    }
    return read;
  }

  private static ConfigValue parsed(ConfigValue text) {
    try {
      Config holder = ConfigFactory.parseString("list = " + text.unwrapped()).resolve();
      return holder.hasPath("list") ? holder.getValue("list").withOrigin(text.origin()) : text;
    } catch (ConfigException e) {
      return text;
    }
  }

  /** The variables that set a key, as the environment layer lists them. */
  static Set<String> variableNames() {
    Set<String> names = new TreeSet<>();
    VARIABLE.matcher(resource(ENVIRONMENT)).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  private Config over(Config defaults, Path file, Config variables) {
    try {
      Config parsed =
          ConfigFactory.parseFile(
              file.toFile(),
              ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setAllowMissing(false));
      Config layered = parsed.withFallback(defaults);
      Config resolved = layered.withFallback(variables).resolve(ConfigResolveOptions.noSystem());
      return only(layered.root().keySet(), resolved);
    } catch (ConfigException e) {
      faults.add("--config " + file + ": " + reason(file, e));
      return defaults;
    }
  }

  /** Substitutions look the variables up in the tree; afterwards they are no keys of it. */
  private static Config only(Set<String> keys, Config resolved) {
    ConfigObject kept = resolved.root();
    for (String key : resolved.root().keySet()) {
      kept = keys.contains(key) ? kept : kept.withoutKey(key);
    }
    return kept.toConfig();
  }

  private static String reason(Path file, ConfigException e) {
    if (Files.isDirectory(file)) {
      return "is a directory; name a file in HOCON or JSON.";
    }
    if (!Files.isReadable(file)) {
      return Files.exists(file)
          ? "cannot be read; its permissions do not allow it."
          : "does not exist.";
    }
    if (e instanceof ConfigException.Parse && e.origin() != null) {
      return "is neither HOCON nor JSON near line " + e.origin().lineNumber() + ".";
    }
    return "cannot be used: " + e.getMessage();
  }

  private Config variables() {
    Map<String, ConfigValue> values = new HashMap<>();
    environment.forEach(
        (name, value) ->
            values.put(name, ConfigValueFactory.fromAnyRef(value, "environment variable " + name)));
    return ConfigValueFactory.fromMap(values).toConfig();
  }

  private void refuseUnknownVariables() {
    Set<String> known = variableNames();
    for (String name : new TreeMap<>(environment).keySet()) {
      if (name.startsWith(OURS) && !known.contains(name) && !isServiceLink(name)) {
        faults.add(
            name
                + ": no key has this environment variable. Allowed: "
                + String.join(", ", known)
                + ".");
      }
    }
  }

  private boolean isServiceLink(String name) {
    String value = environment.getOrDefault(name, "");
    return SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("_PORT") && value.matches("(?:tcp|udp|sctp)://.*"));
  }

  private static Config parse(String resource) {
    return ConfigFactory.parseString(
        resource(resource), ConfigParseOptions.defaults().setOriginDescription("defaults"));
  }

  private static String resource(String path) {
    try (InputStream in = Layers.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
