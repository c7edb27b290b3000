package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.tenant.Caller;
import java.util.UUID;

/** The question whether a token is current and its lease live. */
public record Verification(Caller caller, UUID memoryId, FencingToken token) {}
