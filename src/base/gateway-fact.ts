/** A gateway's "transaction declined (reason)" says the first half twice. */
export const gatewayFact = (why: string): string => /^transaction declined \((.+)\)$/.exec(why)?.[1] ?? why;
