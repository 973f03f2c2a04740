/** What each route of the local API answers, as its own types say it; and the types that have a name of their own. */
import type { ExtractSchema } from 'hono/types';
import type { JSONParsed } from 'hono/utils/types';
import type { Api } from '../../src/api/app.ts';
import type { InMode } from '../../src/api/mode.ts';
import type * as books from '../../src/api/ports/books.ts';
import type * as devices from '../../src/api/ports/devices.ts';
import type * as events from '../../src/api/ports/events.ts';
import type * as machine from '../../src/api/ports/machine.ts';
import type * as paper from '../../src/api/ports/paper.ts';
import type * as problem from '../../src/api/ports/problem.ts';
import type * as recovery from '../../src/api/ports/recovery.ts';
import type { Permission, Role } from '../../src/api/ports/roles.ts';
import type * as selling from '../../src/api/ports/selling.ts';
import type * as session from '../../src/api/ports/session.ts';
import type * as store from '../../src/api/ports/store.ts';
import type * as wire from '../../src/api/ports/wire.ts';
import type { LocalizedMessage } from '../../src/base/localized-message.ts';
import type { Operation } from '../../src/till/machine/facts.ts';
import type { Reason } from '../../src/till/machine/reasons.ts';

type Routes = ExtractSchema<Api>;
type OutputOf<Route, Format> = Route extends { output: infer Output; outputFormat: Format } ? Output : never;
type Every<Format> = {
  [Path in keyof Routes]: { [Method in keyof Routes[Path]]: JSONParsed<OutputOf<Routes[Path][Method], Format>> };
};

/** By path and method, as Hono keeps them: `{ '/sales/:receipt{[0-9]{1,9}}': { $get: … } }`. */
export type Answers = Every<'json'>;
/** What one event of a stream holds, and one line of long work. */
export type EachEvent = Every<'text/event-stream'>;
export type EachLine = Every<'application/x-ndjson'>;

type Named = {
  Amount: wire.Amount;
  Said: wire.Said;
  SaleFacts: wire.SaleFacts;
  Told: LocalizedMessage;
  UnpaidView: wire.UnpaidView;
  OtherCard: wire.OtherCard;
  SessionState: session.SessionState;
  SignedIn: session.SignedIn;
  ShopFacts: session.ShopFacts;
  Operation: Operation;
  Phase: selling.Phase;
  State: selling.State;
  Reason: Reason;
  Role: Role;
  Permission: Permission;
  Result: selling.Result;
  LiveSale: selling.LiveSale;
  SaleRow: selling.SaleRow;
  SaleRowInMode: InMode<selling.SaleRow>;
  SaleDetail: InMode<selling.SaleDetail>;
  HoldRow: InMode<selling.HoldRow>;
  Counter: selling.Counter;
  CounterInMode: InMode<selling.Counter>;
  LineState: wire.LineState;
  LineStateInMode: InMode<wire.LineState>;
  Claim: selling.Claim;
  ClaimAnswer: InMode<selling.ClaimAnswer>;
  Today: books.Today;
  BatchRow: books.BatchRow;
  BatchReport: books.BatchReport;
  BatchReportInMode: InMode<books.BatchReport>;
  CurrencyReport: books.BatchReport['currencies'][number];
  ReportLine: books.BatchReport['currencies'][number]['operations'][number];
  CashierReport: books.BatchReport['currencies'][number]['cashiers'][number];
  PlaceReport: books.BatchReport['currencies'][number]['places'][number];
  ClosingState: InMode<books.ClosingState>;
  ClosingCheck: books.ClosingCheck;
  ClosingWait: books.ClosingWait;
  SaleInProgress: books.SaleInProgress;
  OpenItem: books.OpenItem;
  OpenItemInMode: InMode<books.OpenItem>;
  QueueItem: recovery.QueueItem;
  SaleDifference: recovery.SaleDifference;
  UnresolvedSale: recovery.UnresolvedSale;
  UnresolvedSaleInMode: InMode<recovery.UnresolvedSale>;
  ReconciliationRow: books.ReconciliationRow;
  ReconciliationDetail: books.ReconciliationDetail;
  ReconciliationDetailInMode: InMode<books.ReconciliationDetail>;
  DifferenceRow: books.DifferenceRow;
  LimitsState: InMode<books.LimitsState>;
  LimitsReplay: InMode<books.LimitsReplay>;
  LimitSetting: books.LimitSetting;
  ApiEvent: InMode<events.ApiEvent>;
  Problem: problem.Problem;
  DeviceRow: devices.DeviceRow;
  MetDevice: devices.MetDevice;
  PairingStep: devices.PairingStep;
  DiagnosisNews: devices.DiagnosisNews;
  DiagnosisAnswer: devices.DiagnosisAnswer;
  TraceRow: devices.TraceRow;
  LineCheck: devices.LineCheck;
  ConfigurationPlan: devices.ConfigurationPlan;
  BundleSection: devices.BundleSection;
  PrinterState: paper.PrinterState;
  MachineState: machine.MachineState;
  PersonRow: store.PersonRow;
  AuditEntry: store.AuditEntry;
  PermissionRow: store.PermissionRow;
  PosKeyRow: store.PosKeyRow;
};

/** As they look once they have gone through JSON, which is how the routes' answers are typed. */
export type Names = { [Name in keyof Named]: JSONParsed<Named[Name]> };
