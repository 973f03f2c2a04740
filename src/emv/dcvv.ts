/** The dynamic card verification value of Visa's contactless stripe (MSD): a CVV over the transaction counter. */
import { cvv } from './cvv.ts';
import { type DerivationOption, iccMasterKey } from './session-keys.ts';
import { wantDigits } from './want.ts';

export type DcvvInput = {
  /** The issuer's master key for dCVV, 16 bytes. */
  imk: Uint8Array;
  pan: string;
  psn: string;
  option?: DerivationOption;
  /** YYMM. */
  expiry: string;
  serviceCode: string;
  /** The ATC as four decimal digits. They stand in for the first four digits of the PAN. */
  atc: string;
};

/** Three digits. Throws `key.malformed`, `emv.malformed`. */
export const dcvv = ({ imk, pan, psn, option = 'A', expiry, serviceCode, atc }: DcvvInput): string => {
  wantDigits('The ATC', atc, { least: 4, most: 4 });
  const cvk = iccMasterKey({ imk, pan, psn, option });
  return cvv({ cvk, pan: atc + pan.slice(4), expiry, serviceCode });
};
