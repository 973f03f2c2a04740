/** The rooms of told words: each code that a screen has words for in the reader's language. */
import type { GoingLiveCode } from '../../app/going-live/words.ts';
import type { WantCode } from '../../base/field-wants.ts';
import type { ClosingCode } from '../../books/closing/words.ts';
import type { ItemCode } from '../../books/open-items-words.ts';
import type { DeclineCode } from '../../ledger/decline-words.ts';
import type { OpenCode } from '../../ledger/open-words.ts';
import type { OutcomeCode } from '../../ledger/outcome-words.ts';
import type { LineCode } from '../../line/line-words.ts';
import type { ReplayCode } from '../../offline/replay-words.ts';
import type { ExplanationName } from '../../reconciliation/settlement-words.ts';
import type { EvidenceCode } from '../../recovery/evidence-texts.ts';
import type { ClaimCode } from '../../selling/claim-words.ts';
import type { AuditCode } from '../../staff/audit/audit-texts.ts';
import type { CheckCode } from '../../terminals/checks/check-words.ts';
import type { OfflineRefusal } from '../../till/offline/words.ts';

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
