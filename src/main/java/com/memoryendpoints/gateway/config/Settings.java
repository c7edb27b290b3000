package com.memoryendpoints.gateway.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object of the merged tree, key by key, and collects what is wrong instead of stopping
 * at the first fault. A faulty key yields its fallback, which nobody sees: where there is a fault
 * there is no configuration.
 */
final class Settings {

  /** Turns a value's text into what is meant; refuses by {@link IllegalArgumentException}. */
  @FunctionalInterface
  interface Reading<T> {
    T read(String text);
  }

  private final ConfigObject tree;
  private final String prefix;
  private final List<String> faults;
  private final Set<String> asked = new TreeSet<>();

  /**
   * Over one object.
   *
   * @param prefix what stands before a key's name in a fault
   * @param faults where faults go
   */
  Settings(ConfigObject tree, String prefix, List<String> faults) {
    this.tree = tree;
    this.prefix = prefix;
    this.faults = faults;
  }

  /** The settings inside a section. */
  Settings section(String key) {
    asked.add(key);
    ConfigValue value = tree.get(key);
    if (value instanceof ConfigObject object) {
      return new Settings(object, prefix + key + ".", faults);
    }
    fault(key, value, "must be a section: " + key + " { ... }");
    return new Settings(ConfigFactory.empty().root(), prefix + key + ".", new ArrayList<>());
  }

  /** A value that has to be there. */
  <T> T required(String key, T fallback, Reading<T> reading) {
    if (!has(key)) {
      fault(key, "is missing and has to be set");
      return fallback;
    }
    T read = optional(key, reading);
    return read == null ? fallback : read;
  }

  /** A value that may be left out, or null. */
  <T> @Nullable T optional(String key, Reading<T> reading) {
    ConfigValue value = tree.get(key);
    if (!has(key) || value == null) {
      return null;
    }
    if (value instanceof ConfigObject || value instanceof ConfigList) {
      fault(key, value, "must be one value, not a section or a list");
      return null;
    }
    try {
      return reading.read(String.valueOf(value.unwrapped()));
    } catch (IllegalArgumentException e) {
      fault(key, value, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** A whole number in a range, both ends allowed. */
  int integer(String key, int min, int max) {
    return required(key, min, text -> Readings.integer(text, min, max));
  }

  /** The elements of a list of sections, read as {@code key[0]}, {@code key[1]} ... */
  List<Settings> list(String key) {
    if (!has(key)) {
      return List.of();
    }
    List<Settings> elements = new ArrayList<>();
    for (ConfigValue element : listAt(key)) {
      String name = key + "[" + elements.size() + "]";
      if (element instanceof ConfigObject object) {
        elements.add(new Settings(object, prefix + name + ".", faults));
      } else {
        fault(name, element, "must be a section: { ... }");
        elements.add(new Settings(ConfigFactory.empty().root(), "", new ArrayList<>()));
      }
    }
    return elements;
  }

  /** A list of plain texts. */
  List<String> texts(String key) {
    if (!has(key)) {
      fault(key, "is missing and has to be set");
      return List.of();
    }
    return listAt(key).stream().map(element -> String.valueOf(element.unwrapped())).toList();
  }

  /** The elements of a list of plain texts, each read. */
  <T> List<T> each(String key, Reading<T> reading) {
    List<T> elements = new ArrayList<>();
    for (String text : texts(key)) {
      try {
        elements.add(reading.read(text));
      } catch (IllegalArgumentException e) {
        fault(key, String.valueOf(e.getMessage()));
      }
    }
    return elements;
  }

  /** Reports a fault of a key that was read before. */
  void fault(String key, String what) {
    fault(key, tree.get(key), what);
  }

  /** Reports every key that nobody asked for. Call it last. */
  void refuseUnknown() {
    for (String key : new TreeSet<>(tree.keySet())) {
      if (!asked.contains(key)) {
        fault(key, "is not a known key. Allowed here: " + String.join(", ", asked));
      }
    }
  }

  /** Whether the key has a value. */
  boolean has(String key) {
    asked.add(key);
    ConfigValue value = tree.get(key);
    return value != null && value.valueType() != ConfigValueType.NULL;
  }

  private List<? extends ConfigValue> listAt(String key) {
    ConfigValue value = tree.get(key);
    if (value instanceof ConfigList list) {
      return list;
    }
    fault(key, "must be a list: [ ... ]");
    return List.of();
  }

  private void fault(String key, @Nullable ConfigValue value, String what) {
    String origin = value == null ? "" : " (" + value.origin().description() + ")";
    faults.add(prefix + key + " " + what + origin + ".");
  }
}
