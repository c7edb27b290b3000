package com.memoryendpoints.gateway.name;

import org.jspecify.annotations.Nullable;

/**
 * The short way for names of ASCII letters and digits in words: no property of Unicode is looked
 * up. Whatever it does not know it leaves to the whole pipeline, which agrees with it.
 */
final class AsciiName {
  private AsciiName() {}

  /** The canonical name, or null when the whole pipeline has to judge. */
  static @Nullable String canonical(String display) {
    int length = display.length();
    if (length == 0 || display.charAt(0) == ' ' || display.charAt(length - 1) == ' ') {
      return null;
    }
    char[] canonical = new char[length];
    int end = 0;
    for (int i = 0; i < length; i++) {
      char c = display.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        canonical[end++] = (char) (c | 0x20);
      } else if (isPlain(c)) {
        canonical[end++] = c;
      } else if (c != ' ') {
        return null;
      }
    }
    return end > AgentName.CANONICAL_CODE_POINTS_MAX ? null : new String(canonical, 0, end);
  }

  /** The key of a canonical name of ASCII letters and digits, or null for any other. */
  static @Nullable String key(String canonical) {
    StringBuilder key = new StringBuilder(canonical.length() + 8);
    for (int i = 0; i < canonical.length(); i++) {
      char c = canonical.charAt(i);
      if (!isPlain(c)) {
        return null;
      }
      switch (c) {
        case 'm' -> key.append("rn");
        case '1' -> key.append('l');
        case '0' -> key.append('o');
        default -> key.append(c);
      }
    }
    return key.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
