/** The settings of a channel's settlement: only the types, so that payments run without zod. */
export type { FeeRule, SettlementSettings, SftpSettings } from './settings-shape.ts';
