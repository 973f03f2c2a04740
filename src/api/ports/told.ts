/** The rooms of told words: each code that a screen has words for in the reader's language. */
import type { WantCode } from '../../base/field-wants.ts';
import type { ExplanationName } from '../../reconciliation/settlement-words.ts';
import type { CheckCode } from '../../runtime/check-words.ts';
import type { DeclineCode } from '../../runtime/decline-words.ts';
import type { AuditCode } from '../../runtime/desk/audit-texts.ts';
import type { ClaimCode } from '../../runtime/desk/claim-words.ts';
import type { ClosingCode } from '../../runtime/desk/closing-words.ts';
import type { LineCode } from '../../runtime/desk/line-words.ts';
import type { ItemCode } from '../../runtime/desk/open-items-words.ts';
import type { ReplayCode } from '../../runtime/desk/replay-words.ts';
import type { EvidenceCode } from '../../runtime/evidence-texts.ts';
import type { GoingLiveCode } from '../../runtime/going-live-words.ts';
import type { OpenCode } from '../../runtime/open-words.ts';
import type { OutcomeCode } from '../../runtime/outcome-words.ts';
import type { OfflineRefusal } from '../../till/offline-words.ts';

export type Rooms = {
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
