/** The codes of everything that is told, by room: each has words in the reader’s language. */
import type { WantCode } from '../base/field-wants.ts';
import type { ExplanationName } from '../reconciliation/settlement-words.ts';
import type { OfflineRefusal } from '../till/machine/offline-facts.ts';
import type { AuditCode } from './en/messages/audit.ts';
import type { ClaimCode } from './en/messages/claims.ts';
import type { ClosingCode } from './en/messages/closing.ts';
import type { DeclineCode } from './en/messages/declines.ts';
import type { EvidenceCode } from './en/messages/evidence.ts';
import type { GoingLiveCode } from './en/messages/going-live.ts';
import type { ReplayCode } from './en/messages/limits-replay.ts';
import type { LineCode } from './en/messages/line.ts';
import type { ItemCode } from './en/messages/open-items.ts';
import type { OpenCode } from './en/messages/open-sales.ts';
import type { OutcomeCode } from './en/messages/outcomes.ts';
import type { CheckCode } from './en/messages/terminal-checks.ts';

export type MessageCodes = {
  outcome: OutcomeCode;
  decline: DeclineCode;
  offline: OfflineRefusal;
  claim: ClaimCode;
  evidence: EvidenceCode;
  open: OpenCode;
  item: ItemCode;
  closing: ClosingCode;
  settlement: ExplanationName;
  settlementNext: ExplanationName;
  replay: ReplayCode;
  audit: AuditCode;
  check: CheckCode;
  line: LineCode;
  goingLive: GoingLiveCode;
  want: WantCode;
};
