package com.memoryendpoints.gateway.lease;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A few names and memories that are leased together, in one pairing after another. */
record Round(List<String> names, List<UUID> memories) {

  /** Fresh memories on a pod's database, and a name for each. */
  static Round of(TestPod pod, int pairs) {
    return new Round(
        IntStream.range(0, pairs).mapToObj(i -> "agent" + i).toList(),
        Stream.generate(pod::memory).limit(pairs).toList());
  }

  /**
   * Leases each name with a memory, and releases all.
   *
   * @param shift which memory: a name moves on when it changes
   */
  List<Lease> run(TestPod pod, int shift) {
    List<Lease> leases = claim(pod, shift);
    leases.stream()
        .map(lease -> pod.start(() -> pod.leases.release(TestPod.release(lease))))
        .toList()
        .forEach(TestPod::await);
    return leases;
  }

  private List<Lease> claim(TestPod pod, int shift) {
    List<Future<Claimed>> claims = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      UUID memory = memories.get((i + shift) % memories.size());
      claims.add(pod.start(() -> pod.leases.claim(pod.claim(name, memory))));
    }
    return claims.stream().map(TestPod::await).map(Claimed::lease).toList();
  }
}
