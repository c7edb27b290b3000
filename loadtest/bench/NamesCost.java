import com.ibm.icu.text.UnicodeSet;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Refusal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * What a name costs, by kind, in microseconds of one thread's CPU time: another process on the core
 * is not counted, though it still spoils the caches. All kinds take turns in every round, after a
 * warm-up; every result goes into a sum that is printed. The dearest name is searched for: seeded
 * random changes to a name, of which those that cost more are kept.
 *
 * <p>Arguments: rounds, milliseconds a round and kind, seconds of the search, its seed.
 */
class NamesCost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int DISTINCT = 512;
  private static final String SUFFIX = "-018f2a6e-1b01-7abc-9def-001122334455";

  private static final Names NAMES = Names.strict();
  private static long sum;

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    long nanos = Long.parseLong(args[1]) * 1_000_000;
    Map<String, String[]> kinds = kinds();
    for (int warmUp = 0; warmUp < 3; warmUp++) {
      kinds.values().forEach(names -> cost(names, nanos));
    }
    long seed = Long.parseLong(args[3]);
    String dearest = dearest(new Random(seed), Long.parseLong(args[2]) * 1_000_000_000);
    kinds.put("dearest found", new String[] {dearest});
    double[][] costs = new double[kinds.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      int kind = 0;
      for (String[] names : kinds.values()) {
        costs[kind++][round] = cost(names, nanos);
      }
    }
    System.out.println("kind                                   median us     min     max");
    int kind = 0;
    for (String name : kinds.keySet()) {
      double[] sorted = costs[kind++];
      Arrays.sort(sorted);
      System.out.printf(
          "%-38s %9.2f %7.2f %7.2f%n", name, sorted[rounds / 2], sorted[0], sorted[rounds - 1]);
    }
    System.out.printf("dearest found (seed %d): %s%n", seed, hex(dearest));
    System.out.printf("sum of all results: %d%n", sum);
  }

  private static Map<String, String[]> kinds() {
    Map<String, String[]> kinds = new LinkedHashMap<>();
    kinds.put("ASCII, 12", random("[a-zA-Z0-9]", 12));
    kinds.put("ASCII, 64", random("[a-zA-Z0-9]", 64));
    kinds.put("Latin, 12", random("[a-zà-öø-ÿ]", 12));
    kinds.put("Latin, 64", random("[a-zà-öø-ÿ]", 64));
    kinds.put("Greek, 12", random("[α-ρτ-ω]", 12));
    kinds.put("Cyrillic, 12", random("[а-я]", 12));
    kinds.put("Han, 8", random("[\u4E00-\u9FA5]", 8));
    kinds.put("Han, 64", random("[\u4E00-\u9FA5]", 64));
    kinds.put("Kana, 12", random("[\u3041-\u3094]", 12));
    kinds.put("Hangul, 8", random("[\uAC00-\uD7A3]", 8));
    kinds.put("Hangul, 64", random("[\uAC00-\uD7A3]", 64));
    kinds.put("Arabic, 12", random("[\u0628-\u063A\u0641-\u064A]", 12));
    kinds.put("Arabic, 64", random("[\u0628-\u063A\u0641-\u064A]", 64));
    kinds.put("Devanagari, 12", random("[\u0915-\u0928]", 12));
    kinds.put("minted, 49", suffixed(random("[a-z]", 12)));
    kinds.put("refused at its end, 12", dashed(random("[a-z]", 11)));
    kinds.put("marks, 128", new String[] {"e\u0301\u0302\u0303".repeat(32)});
    kinds.put("U+FDFA, 60", new String[] {"\uFDFA".repeat(60)});
    kinds.put("voiced halfwidth kana, 128", new String[] {"\uFF76\uFF9E".repeat(64)});
    return kinds;
  }

  private static String[] random(String pattern, int length) {
    UnicodeSet set = new UnicodeSet(pattern);
    Random random = new Random(pattern.hashCode() + length);
    String[] names = new String[DISTINCT];
    for (int n = 0; n < DISTINCT; n++) {
      StringBuilder name = new StringBuilder();
      for (int i = 0; i < length; i++) {
        name.appendCodePoint(set.charAt(random.nextInt(set.size())));
      }
      names[n] = name.toString();
    }
    return names;
  }

  private static String[] suffixed(String[] names) {
    return Arrays.stream(names).map(name -> name + SUFFIX).toArray(String[]::new);
  }

  private static String[] dashed(String[] names) {
    return Arrays.stream(names).map(name -> name + "-").toArray(String[]::new);
  }

  /** Microseconds a name, over so many nanoseconds of CPU time. */
  private static double cost(String[] names, long nanos) {
    long start = THREADS.getCurrentThreadCpuTime();
    long count = 0;
    long end = start;
    while (end - start < nanos) {
      for (int n = 0; n < 512; n++) {
        judge(names[n % names.length]);
      }
      count += 512;
      end = THREADS.getCurrentThreadCpuTime();
    }
    return (end - start) / 1e3 / count;
  }

  private static void judge(String name) {
    try {
      AgentName judged = NAMES.claimed(name);
      sum = sum * 31 + judged.canonical().length() + judged.key().length();
    } catch (Refusal refusal) {
      sum = sum * 31 + refusal.members().size();
    }
  }

  /** Climbs from several starts; a name is worth the least that a few tries of it cost. */
  private static String dearest(Random random, long nanos) {
    UnicodeSet any = new UnicodeSet("[[:L:][:M:][:Nd:]]");
    UnicodeSet dear =
        new UnicodeSet("[[:dt=Wide:][:dt=Narrow:][:Mn:][:NFC_QC=Maybe:][:CWL:][:bc=R:][:bc=AL:]]");
    long end = THREADS.getCurrentThreadCpuTime() + nanos;
    String best = "a";
    double bestCost = 0;
    while (THREADS.getCurrentThreadCpuTime() < end) {
      int[] name = random.ints(128, 0, any.size()).map(any::charAt).toArray();
      int block = 1 + random.nextInt(4);
      for (int i = block; i < name.length; i++) {
        name[i] = name[i % block];
      }
      double cost = least(text(name));
      for (int stuck = 0; stuck < 40; stuck++) {
        int[] changed = name.clone();
        UnicodeSet from = random.nextBoolean() ? any : dear;
        int codePoint = from.charAt(random.nextInt(from.size()));
        int step = random.nextInt(3) == 0 ? 128 : 1 << random.nextInt(4);
        for (int i = random.nextInt(step == 128 ? 128 : step); i < 128; i += step) {
          changed[i] = codePoint;
        }
        double changedCost = least(text(changed));
        if (changedCost > cost * 1.01) {
          name = changed;
          cost = changedCost;
          stuck = 0;
        }
      }
      if (cost > bestCost) {
        best = text(name);
        bestCost = cost;
      }
    }
    return best;
  }

  private static double least(String name) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      long start = System.nanoTime();
      for (int n = 0; n < 16; n++) {
        judge(name);
      }
      least = Math.min(least, (System.nanoTime() - start) / 16e3);
    }
    return least;
  }

  private static String text(int[] codePoints) {
    return new String(codePoints, 0, codePoints.length);
  }

  private static String hex(String text) {
    StringBuilder hex = new StringBuilder();
    text.codePoints().limit(16).forEach(c -> hex.append(String.format("%04X ", c)));
    return hex + "... " + text.codePointCount(0, text.length()) + " code points";
  }
}
