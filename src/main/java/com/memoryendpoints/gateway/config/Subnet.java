package com.memoryendpoints.gateway.config;

import io.netty.util.NetUtil;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The IP addresses that begin alike. An IPv4 address counts as the IPv6 address that it is mapped
 * to (RFC 4291 section 2.5.5.2), so that both spellings of it are one.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits; bits behind the prefix are 0
 * @param bits how many bits are alike, 0 to 128; 128 is one address
 */
public record Subnet(long high, long low, int bits) {
  private static final int BITS = 128;
  private static final int IPV4_BITS = 32;
  private static final long IPV4_MAPPED = 0xffffL;

  /** Keeps to the range of its bits. */
  public Subnet {
    if (bits < 0 || bits > BITS) {
      throw new IllegalArgumentException(bits + " bits");
    }
  }

  /**
   * Reads {@code 10.0.0.0/8}, {@code fd00::/8}, or one address.
   *
   * @throws IllegalArgumentException when it is neither, or has bits behind its prefix
   */
  static Subnet parse(String text) {
    int slash = text.indexOf('/');
    Subnet address = address(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw new IllegalArgumentException(
          "has an element that is neither an IP address nor a subnet such as 10.0.0.0/8");
    }
    if (slash < 0) {
      return address;
    }
    boolean mapped = address.isIpv4() && text.indexOf(':') < 0;
    int length = Readings.integer(text.substring(slash + 1), 0, mapped ? IPV4_BITS : BITS);
    int bits = mapped ? BITS - IPV4_BITS + length : length;
    Subnet subnet = address.truncatedTo(bits);
    if (subnet.high != address.high || subnet.low != address.low) {
      throw new IllegalArgumentException("has a subnet with bits behind its prefix length");
    }
    return subnet;
  }

  /** The address of a literal, which may stand in brackets; null where it is none. */
  public static @Nullable Subnet address(String literal) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(literal);
    if (bytes == null) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length == Integer.BYTES) {
      long ipv4 = IPV4_MAPPED << IPV4_BITS | Integer.toUnsignedLong(buffer.getInt());
      return new Subnet(0, ipv4, BITS);
    }
    return new Subnet(buffer.getLong(), buffer.getLong(), BITS);
  }

  /** Whether every address of the other one is of this one too. */
  public boolean contains(Subnet other) {
    return bits <= other.bits && other.truncatedTo(bits).equals(this);
  }

  /** Whether all its addresses are IPv4. */
  public boolean isIpv4() {
    return bits >= BITS - IPV4_BITS && high == 0 && low >>> IPV4_BITS == IPV4_MAPPED;
  }

  /** The larger subnet around this one whose addresses begin alike in so many bits. */
  public Subnet truncatedTo(int length) {
    return new Subnet(high & mask(length), low & mask(length - Long.SIZE), length);
  }

  /** The first so many bits of 64. */
  private static long mask(int length) {
    return length <= 0 ? 0 : length >= Long.SIZE ? -1L : -1L << (Long.SIZE - length);
  }
}
