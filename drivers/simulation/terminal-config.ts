/** The configuration of the simulated terminal's EMV kernel: capabilities, country, limits, action codes. */
import { hasPinPad } from '../../src/emv/device-models.ts';
import { simulatedModelName } from '../terminal.ts';

export type TerminalConfig = {
  /** IFD serial number, tag 9F1E: eight digits. */
  serial: string;
  /** Manufacturer's model and firmware, as the device names them. The model says that it is simulated. */
  model: string;
  firmware: string;
  /** Tag 9F1A, four digits. */
  countryCode: string;
  /** Tags 9F33, 9F35 and 9F40, hex. */
  capabilities: string;
  terminalType: string;
  additionalCapabilities: string;
  /** Contact chip: from this many minor units on the terminal goes online. */
  floorLimitMinor: bigint;
  /** Tap: above this many minor units the customer must be verified. */
  tapVerifyAboveMinor: bigint;
  /** Terminal action codes, hex, five bytes each. */
  actionCodes: { denial: string; online: string };
  /**
   * Treats every card of the simulated wallet as proved genuine, as a terminal with the schemes' keys would; without it
   * the verification results say that nothing was proved.
   */
  authenticatesData: boolean;
  batteryPercent: number;
  /** Somebody opened the device: it reports that and takes no card. */
  tampered: boolean;
  /** The device's clock minus the true one, in ms; positive when the device is ahead. */
  clockOffsetMs: number;
  /** How long the pretend host behind a ZVT terminal takes. If it takes longer than usual, no abort stops it. */
  hostMs: number;
};

/** How long a host usually takes. */
export const USUAL_HOST_MS = 800;

/** Tag 9F33 of a reader without a PIN pad: no manual entry, signature and no CVM only. */
const withoutPinPad = '602800';

/** The third byte of tag 9F33: static, dynamic and combined data authentication. */
const allAuthentication = 'C8';

export const terminalConfig: TerminalConfig = {
  serial: '17000001',
  model: 'M020',
  firmware: '1-58',
  countryCode: '0276',
  // Manual, stripe, chip; plaintext and online PIN, signature, no CVM; no data authentication: it holds no CA keys.
  capabilities: 'E0E800',
  terminalType: '22',
  additionalCapabilities: '6000F0A001',
  floorLimitMinor: 5_000n,
  tapVerifyAboveMinor: 5_000n,
  actionCodes: { denial: '0000000000', online: '0000000000' },
  authenticatesData: false,
  batteryPercent: 87,
  tampered: false,
  clockOffsetMs: 0,
  hostMs: USUAL_HOST_MS,
};

/**
 * The configuration of one simulated device. `own`: its protocol's defaults. `overrides`: the options. Neither can
 * remove SIMULATED from its model, by which a live till refuses it.
 */
export const simulatedConfig = (
  own: Partial<TerminalConfig> = {},
  overrides: Partial<TerminalConfig> = {},
): TerminalConfig => {
  const { model } = { ...terminalConfig, ...own, ...overrides };
  const pad = hasPinPad(simulatedModelName(model)) === false ? { capabilities: withoutPinPad } : {};
  const config = { ...terminalConfig, ...pad, ...own, ...overrides, model: simulatedModelName(model) };
  return config.authenticatesData
    ? { ...config, capabilities: `${config.capabilities.slice(0, 4)}${allAuthentication}` }
    : config;
};

// The bits of terminal verification results and transaction status information that the simulated kernel sets.

/** One bit as the EMV books count them: byte from 1, bit 8 the highest. */
export type Bit = readonly [byte: number, bit: number];

/** Terminal verification results, tag 95 (EMV Book 3 Annex C5). */
export const tvrBits = {
  dataAuthenticationNotPerformed: [1, 8],
  expired: [2, 7],
  verificationFailed: [3, 8],
  unrecognisedMethod: [3, 7],
  pinTriesExceeded: [3, 6],
  noPinPad: [3, 5],
  onlinePinEntered: [3, 3],
  floorLimitExceeded: [4, 8],
  forcedOnline: [4, 4],
  issuerAuthenticationFailed: [5, 7],
  scriptFailedBefore: [5, 6],
  scriptFailedAfter: [5, 5],
} as const satisfies Record<string, Bit>;

/** Transaction status information, tag 9B (EMV Book 3 Annex C6). */
export const tsiBits = {
  dataAuthentication: [1, 8],
  cardholderVerification: [1, 7],
  cardRiskManagement: [1, 6],
  issuerAuthentication: [1, 5],
  terminalRiskManagement: [1, 4],
  scriptProcessing: [1, 3],
} as const satisfies Record<string, Bit>;

/** Sets the bit in place. */
export const setBit = (field: Uint8Array, [byte, bit]: Bit): void => {
  field[byte - 1] = (field[byte - 1] ?? 0) | (1 << (bit - 1));
};

export const isMarked = (field: Uint8Array, [byte, bit]: Bit): boolean =>
  ((field[byte - 1] ?? 0) & (1 << (bit - 1))) !== 0;

/** Whether any bit is set in both. */
export const haveCommonBit = (left: Uint8Array, right: Uint8Array): boolean =>
  left.some((byte, index) => (byte & (right[index] ?? 0)) !== 0);
