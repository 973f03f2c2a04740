export const tillFlags: readonly string[];
export const gatewayFlags: readonly string[];
