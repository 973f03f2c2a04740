/** What a channel has looked at before the acquirer is asked (spec 2.27). Amounts as the host API writes them. */

export type Subject = 'card' | 'email' | 'ip' | 'customer';

export type RiskRules = {
  /** Refuses above this amount; risk.amount counts if it is sent. */
  amountMax?: string;
  /** Refuses more than `most` payments, or more than `total` in sum, of one subject within the time. */
  velocity?: readonly { per: Subject; withinMinutes: number; most?: number; total?: string }[];
  /**
   * Refuses these. Card numbers as first digits (6 to 8) or a range of them (`411111-411119`), e-mails whole or
   * `@domain`, IP addresses or ranges of them (`10.0.0.0/8`), ISO countries of the billing address.
   */
  deny?: {
    bins?: readonly string[];
    emails?: readonly string[];
    ips?: readonly string[];
    countries?: readonly string[];
  };
  /** Lets these pass whatever the other rules say. */
  allow?: { emails?: readonly string[]; ips?: readonly string[]; customers?: readonly string[] };
  /** Points for each sign of risk; refuses at the limit. Every screened payment's answer carries its score. */
  score?: { refuseFrom: number };
};

/** What a broken rule ends a payment with: a code of the catalogue, and a sentence without the request's values. */
export type RiskRefusal = { resultCode: string; why: string };
