/** The dialects of NEO 2 readers, and how each changes the output of the simulated one. */
import { concat } from '../../../src/base/hex.ts';
import type { Dialects } from '../../simulation/simulator.ts';
import { type Attribution, attributionByte, attributionOf, type Neo2Result } from './answers.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, flattenNeo2Tlvs, type Neo2Tlv, neo2Tlv } from './tlv.ts';

export const neo2Dialects = {
  'output-mode-told': {
    says: 'C7-A3 reports how its key for card data is used; other readers do not know the command',
    source: 'github IDTSQATW/test_tree, CR041 and CR065; no public guide has it',
    models: 'VP3350, VP5300, VP6300',
  },
  'transarmor-told': {
    says: 'C7-A3 reports TransArmor, and card data is encrypted with it: DFEE26 E406',
    source: 'github IDTSQATW/test_tree, CR065-TransArmor TDES',
    models: 'any that its supplier has set up this way',
    shows: 'the diagnosis reports it at pairing, and every sale is refused',
    about: 'cipher',
    isRefused: true,
  },
  'transarmor-untold': {
    says: 'card data is encrypted with TransArmor, which only its attribution shows (E4, E5, EC, F5)',
    source: 'NEO 2 IDG r88.1, p218 and p238; the vendor’s public test scripts',
    shows: 'every sale is refused at its card, and the diagnosis reports it from then on',
    about: 'cipher',
    isRefused: true,
  },
  'in-clear': {
    says: 'it has no keys, does not know 81-0B, and sends card data unencrypted',
    source: 'capture of 02-05 in the vendor’s public test scripts',
    shows: 'every sale is refused at its card',
    about: 'cipher',
    isRefused: true,
  },
  'removal-detection-off': {
    says: '02-40 is refused as a wrong parameter (05) until removal detection is activated in its menu',
    source: 'ID TECH knowledge base, page 71504517',
    models: 'VP6800',
    shows: 'every sale is refused before a card is requested',
    about: 'activation',
    isRefused: true,
  },
  'key-missing-at-card': {
    says: 'it does not know 81-0B, and has no key: each card ends with status 90',
    source: 'github IDTSQATW/test_tree, EGN42; the vendor’s SDK header IDTCommon.h',
    shows: 'every sale is refused at its card, and the diagnosis reports it from then on',
    about: 'cipher',
    isRefused: true,
  },
  'activation-acknowledged-63': {
    says: 'the first answer of 02-40 is 63, like that of 60-11',
    source: 'github IDTSQATW/test_tree: half of all logs of 02-40',
  },
  'attribution-extended': {
    says: 'each answer about a card begins with the attribution; bit 5 means that DFEE26 has the cipher: E0 00, EC 01',
    source: 'NEO 2 IDG r88.1, p233; github IDTSQATW/test_tree, CR041-AES and CR080',
    models: 'VP3350, VP5300, VP6300',
    about: 'attribution',
  },
  'attribution-missing': {
    says: 'the answer to 02-40 lacks the attribution byte: only DFEE26 has it',
    source: 'capture of a tap in the vendor’s public TLV sample',
    about: 'attribution',
  },
  'key-state-without-length': {
    says: 'a key state has no length before its serial number',
    source: 'NEO 2 IDG r88.1, p344 against p345; github IDTSQATW/test_tree has answers of both forms',
    about: 'key state',
  },
  'key-state-unknown': {
    says: 'it does not know 81-0B: whether it has keys is seen at the first card',
    source: 'assumed: one guide for many readers, which do not all have every command',
    about: 'key state',
  },
  'boot-notice-unknown': {
    says: 'it does not know 14-01: restarts are not reported',
    source: 'assumed: one guide for many readers, which do not all have every command',
  },
  'pin-acknowledged-63': {
    says: 'the first answer of 62-01 is 63, like that of 60-11',
    source: 'assumed: NEO 2 IDG r88.1, p346, shows an acknowledgement but not its status',
  },
  'pin-failure-under-00': {
    says: 'a missing PIN is reported under status 00',
    source: 'NEO 2 IDG r88.1, p346: the data is there under 00 or 0A',
  },
  'old-tags': {
    says: 'FFEE12 for DFEE12, DF30 for DFEE30',
    source: 'NEO 2 IDG r88.1, p96; github IDTSQATW/test_tree, logs of 2016',
    models: 'VP3300 USB, Augusta',
    about: 'tags',
  },
  'new-tags': {
    says: 'DFEE02 for FFEE1F, DFEE61 and DFEE62 for DF61 and DF62',
    source: 'github IDTSQATW/test_tree, logs of 2026',
    models: 'VP6325',
    about: 'tags',
  },
  'lengths-81': {
    says: 'a sensitive tag comes twice, first masked, then encrypted, with a length of two bytes: 81 and the length',
    source: 'capture of an answer of the Augusta family; 80000502-001',
    models: 'Augusta',
  },
  'empty-tags': {
    says: 'tags without a value come with a length of zero: 99, DFEE23, DFEE51, 4F, 9F20',
    source: 'github IDTSQATW/test_tree, CR080',
    models: 'VP3350 and others',
  },
  'start-with-data': {
    says: 'the answer for a started chip (0010) already has the card’s data and a serial number',
    source: 'github IDTSQATW/test_tree, CR080',
  },
  'end-before-cancel': {
    says: 'the cancelled command ends first, 0A with error 2C, then the cancel is answered',
    source: 'github IDTSQATW/test_tree, logs of 2026 (02-40, then 05-01)',
    about: 'cancel',
  },
  'end-behind-cancel': {
    says: 'the cancelled command ends after the answer to the cancel',
    source: 'assumed: VP3350 Integration Manual 80178501-001, p13, has the host wait only for the answer to the cancel',
    about: 'cancel',
  },
  'cancel-under-a3': {
    says: 'the cancel key ends a wait under status A3',
    source: 'github IDTSQATW/test_tree, CR064',
  },
  'ends-alone': {
    says: 'if the host is late it tells the chip so (Y3), and reports the chip’s decision: 0202 or 0203',
    source: 'github IDTSQATW/test_tree, CR037-AES and CR037-TDES',
  },
  'shows-at-till': {
    says: 'it asks its host to show texts and to choose the application (61-01)',
    source: 'NEO 2 IDG r88.1, p197 to p199; github IDTSQATW/test_tree, CR080',
    models: 'readers without a display',
    shows: 'the till takes a card’s first application, and the customer is not asked',
    about: 'display',
  },
  'shows-at-till-high-first': {
    says: 'the same, with the checksum of 61-01 high byte first, as in answers',
    source: 'github IDTSQATW/test_tree, CR080; logs of both orders',
    models: 'readers without a display',
    about: 'display',
  },
  'masks-four': {
    says: 'masks show the first four digits and the last four',
    source: 'captures; SecureMag User Manual 80096504-001, p25: four and four as delivered',
    shows: 'the first four digits of a number are shown, not six',
    about: 'masks',
  },
  'masks-all': {
    says: 'masks show four digits at either end, and neither expiry nor service code of a stripe',
    source: 'SecureMag User Manual 80096504-001, p25 and p46: the expiry is masked as delivered',
    shows: 'a swiped chip card is read by its stripe, and declined',
    about: 'masks',
  },
  'stripe-options': {
    says: 'the block of a swipe has optional bytes, hashes and the reader’s serial number',
    source: 'SREDKey 2 Integration Manual 80172501-001, p31; github IDTSQATW/test_tree, KP008',
    about: 'stripe',
  },
  'stripe-ksn-outside': {
    says: 'the block of a swipe has no key serial number: DFEE12 has it',
    source: 'assumed: the block can leave it out, and DFEE12 is the place for it',
    about: 'stripe',
  },
  'chip-failures-told': {
    says: 'each insertion without an answer ends 02-40 with DFEF61: the reader does not count failures',
    source: 'the vendor’s public test scripts (QCM006, DFEF61 F222)',
    models: 'VP3350',
    about: 'fallback',
  },
  'fallback-told-first': {
    says: 'the third insertion without an answer ends 02-40 with 0007 and no data; the stripe is for the next 02-40',
    source: 'assumed: the code’s words are “use the stripe”',
    about: 'fallback',
  },
  'answers-under-v3': {
    says: 'it answers under the header ViVOpayV3, with sub-command and status, whatever the header of the question',
    source: 'captures in the vendor’s public test scripts contain such answers',
  },
  'typed-under-tech2': {
    says: '83-41 is accepted only under the header ViVOtech2',
    source: 'github IDTSQATW/test_tree, KP008; the guide prints ViVOpayV3 (p358)',
    models: 'VP6800, VP8800',
  },
  'typed-as-pairs': {
    says: 'a typed card number comes as tag 5A, masked and encrypted, not as a block',
    source: 'assumed: as for cards',
  },
} as const satisfies Dialects;

export type Neo2Dialect = keyof typeof neo2Dialects;
export type Neo2DialectPredicate = (dialect: Neo2Dialect) => boolean;

const renamed: Readonly<Partial<Record<Neo2Dialect, Readonly<Record<string, string>>>>> = {
  'old-tags': { DFEE12: 'FFEE12', DFEE30: 'DF30' },
  'new-tags': { FFEE1F: 'DFEE02' },
};

/** The names of the version tags in newer firmware. */
const ofVersions: Readonly<Record<string, string>> = { DF61: 'DFEE61', DF62: 'DFEE62' };

/** The answer about firmware or processor, with the tags of newer firmware. */
export const useNewTags = (data: Uint8Array): Uint8Array =>
  encodeNeo2Tlv(decodeNeo2Tlv(data).map((each) => renameTags(each, ofVersions)));

/** Tags of a card's answer that mean nothing without a value. */
const emptyTags = ['4F', '99', '9F20', 'DFEE23', 'DFEE51'];

type DialectUse = { isDialect: Neo2DialectPredicate; isFirst: boolean };

/** What a reader of this dialect sends about a card. `isFirst`: the answer to 02-40, which has the attribution. */
const applyDialect = (result: Neo2Result, { isDialect, isFirst }: DialectUse): Neo2Result => {
  const names = (Object.keys(renamed) as Neo2Dialect[]).find(isDialect);
  const tlvs = result.tlvs.map((each) => renameTags(each, (names && renamed[names]) ?? {}));
  const isCard = flattenNeo2Tlvs(tlvs).some(({ tag }) => tag === '9F39');
  const all = isDialect('empty-tags') && isCard ? addEmptyTags(tlvs) : tlvs;
  return applyAttribution({ ...result, tlvs: all }, { isDialect, isFirst });
};

const renameTags = (object: Neo2Tlv, names: Readonly<Record<string, string>>): Neo2Tlv => ({
  ...object,
  tag: names[object.tag] ?? object.tag,
  children: object.children?.map((child) => renameTags(child, names)),
});

const addEmptyTags = (tlvs: readonly Neo2Tlv[]): Neo2Tlv[] => {
  const missing = emptyTags.filter((tag) => !tlvs.some((each) => each.tag === tag));
  return [...tlvs, ...missing.map((tag) => neo2Tlv(tag, ''))];
};

const applyAttribution = (result: Neo2Result, use: DialectUse): Neo2Result => {
  const { attribution, tlvs } = markCipher(result, use);
  // A typed number has no DFEE26 that could contain it instead.
  const isLeftOut = use.isDialect('attribution-missing') && tlvs.some(({ tag }) => tag === 'DFEE26');
  return { attribution: isLeftOut ? undefined : attribution, tlvs };
};

const markCipher = (result: Neo2Result, { isDialect, isFirst }: DialectUse): Neo2Result => {
  const inTag = flattenNeo2Tlvs(result.tlvs).find(({ tag }) => tag === 'DFEE26')?.value[0];
  const byte = result.attribution ?? (isDialect('attribution-extended') ? inTag : undefined);
  const attribution = byte === undefined ? undefined : attributionOf(byte);
  if (attribution === undefined) return result;
  const isForeign = isDialect('transarmor-told') || isDialect('transarmor-untold');
  if (!isForeign && !isDialect('attribution-extended')) return result;
  const [first, second] = isForeign ? proprietaryAttribution(attribution, isDialect) : extendedAttribution(attribution);
  const tag = neo2Tlv('DFEE26', second === undefined ? Uint8Array.of(first) : Uint8Array.of(first, second));
  const tlvs = result.tlvs.map((each) => (each.tag === 'DFEE26' ? tag : each));
  return { attribution: isFirst || isDialect('attribution-extended') ? first : undefined, tlvs };
};

const extension = 0x20;

/** E4, E5, EC, F5; 06 is Triple DES by TransArmor. */
const proprietaryAttribution = (attribution: Attribution, isDialect: Neo2DialectPredicate): [number, number?] => {
  const first = attributionByte({ ...attribution, cipher: 'extended' }) | extension;
  return isDialect('transarmor-told') ? [first, 0x06] : [first];
};

/** AES is EC for a stripe, E2 for a chip; then 00 means Triple DES and 01 AES. */
const extendedAttribution = (attribution: Attribution): [number, number] => {
  const isAes = attribution.cipher === 'aes';
  const cipher = isAes && attribution.way === 'swipe' ? 'extended' : attribution.cipher;
  return [attributionByte({ ...attribution, cipher }) | extension, isAes ? 1 : 0];
};

/** The bytes of such an answer. */
export const encodeResult = (result: Neo2Result, use: DialectUse): Uint8Array => {
  const { attribution, tlvs } = applyDialect(result, use);
  const head = attribution === undefined ? [] : [attribution];
  return concat(Uint8Array.from(head), encodeObjects(tlvs, use.isDialect));
};

/** The objects as bytes: with marks, or each marked value after 81 and its length. */
const encodeObjects = (tlvs: readonly Neo2Tlv[], isDialect: Neo2DialectPredicate): Uint8Array => {
  if (!isDialect('lengths-81')) return encodeNeo2Tlv(tlvs);
  // Without a masked form beside it, such a value could not be distinguished from an unencrypted one.
  const twins = tlvs.filter(
    ({ tag, mark }) => mark !== 'encrypted' || tlvs.some((o) => o.tag === tag && o.mark === 'masked'),
  );
  return encodeNeo2Tlv(twins, 'long');
};
