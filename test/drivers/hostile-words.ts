/** What a device sends during a sale although no card was presented, and how the till is allowed to react. */
import { type Ground, grounds } from './hostile-terminals.ts';

/** `hex`: one message, or several that are sent in turn. */
export type Injection = {
  name: string;
  setting: Ground;
  hex: string;
  times?: number;
  everyMs?: number;
  ends: RegExp;
  /** From then on the device itself sends nothing. */
  isMuted?: boolean;
};

const { mmsStream, mmsReports, neo2Stream, neo2Reports, mpi, mpiUnasked, zvtSerial, zvtApdu } = grounds;
const fault = /^terminal\.(garbled|silent|unclear)$/;
const cardInCardOut = 'E104480200009000 E104480203009000';
const forEver = 1_000_000;

/** What a device sends although no card was presented. */
export const injections: readonly Injection[] = [
  ...[mmsStream, mmsReports].flatMap((setting): Injection[] => [
    { name: 'an approval without a card', setting, hex: 'AA00810483000105820410020600', ends: /notRead/ },
    { name: 'an offline approval', setting, hex: 'AA00810483000105820410020200', ends: /notRead/ },
    { name: 'an invalid block', setting, hex: 'AA0081048300010182041008020284080101840400000000', ends: fault },
    { name: 'an unknown notice', setting, hex: 'AA00810483009999820410020200', ends: /notRead: timedOut/ },
    { name: 'templates in templates', setting, hex: `AA00${'E17F'.repeat(60)}`, ends: fault },
    { name: 'a thousand answers', setting, hex: 'AA0081048277DF01820400000000', times: 1_100, ends: fault },
    {
      name: 'a card that is presented for ever',
      setting,
      hex: 'AA00810483000101820410010200',
      times: forEver,
      everyMs: 5_000,
      isMuted: true,
      ends: fault,
    },
    {
      name: 'words without end',
      setting,
      hex: 'AA0081048300180382040201000084071803830441424300',
      times: forEver,
      everyMs: 20,
      ends: fault,
    },
  ]),
  {
    name: 'a card that comes and goes for ever',
    setting: mmsReports,
    hex: 'AA00810483000101820410010300 AA00810483000101820410010200',
    times: forEver,
    everyMs: 3_000,
    isMuted: true,
    ends: fault,
  },
  ...[neo2Stream, neo2Reports].flatMap((setting): Injection[] => [
    { name: 'an approval without a card', setting, hex: '0200DFEE25020002', ends: /notRead|terminal/ },
    { name: 'an offline approval', setting, hex: '0200DFEE25020000', ends: /notRead|terminal/ },
    { name: '“go online” without a card', setting, hex: '0200DFEE25020004', ends: /notRead|terminal/ },
    { name: '“ask the issuer” without a card', setting, hex: '0223', ends: /notRead|terminal/ },
    { name: 'an answer to another question', setting, hex: '6000DFEE25020002', ends: /notRead: timedOut/ },
    { name: 'templates in templates', setting, hex: `0200${'E17F'.repeat(60)}`, ends: /notRead|terminal/ },
    {
      name: '“working” for ever',
      setting,
      hex: '0263',
      times: forEver,
      everyMs: 1_000,
      isMuted: true,
      ends: fault,
    },
    { name: 'a thousand menus', setting, hex: '6101030000', times: 1_100, ends: fault },
    { name: 'a cancel that nobody requested', setting, hex: '0500', ends: /notRead|terminal/ },
    { name: 'a restart', setting, hex: '14004E454F32', ends: /link\.lost/ },
  ]),
  { name: 'an approval without a card', setting: mpi, hex: 'E3089F2701409F260400009000', ends: /notRead|terminal/ },
  { name: '“go online” without a card', setting: mpi, hex: 'E4059F270180009000', ends: /notRead|terminal/ },
  { name: 'a thousand answers', setting: mpi, hex: '9000', times: 1_100, ends: fault },
  ...['E104480201009000', 'E104480203009000', 'E104480200009000', 'E104480200039000', cardInCardOut].map(
    (hex): Injection => ({
      name: `the slot’s ${hex.match(/(?<=E1044802)..../g)?.join(', ')} for ever`,
      setting: mpiUnasked,
      hex,
      times: forEver,
      everyMs: 4_000,
      ends: /notRead|terminal/,
    }),
  ),
  ...[zvtSerial, zvtApdu].flatMap((setting): Injection[] => [
    { name: 'an end without a result', setting, hex: '060F', ends: /terminal\.unclear/ },
    {
      name: 'a result without an amount, again and again',
      setting,
      hex: '040F2700',
      times: forEver,
      everyMs: 2_000,
      ends: fault,
    },
    {
      name: 'another amount',
      setting,
      hex: '040F2700040000000099004909788700070B000007',
      ends: /terminal\.unclear|declined|notBegun/,
    },
    { name: 'an unreadable result', setting, hex: '040F2700049999', ends: /terminal\.garbled/ },
    { name: 'statuses for ever', setting, hex: '04FF0A', times: forEver, everyMs: 1_000, isMuted: true, ends: fault },
    {
      name: '“please wait” for ever',
      setting,
      hex: '849C',
      times: forEver,
      everyMs: 1_000,
      isMuted: true,
      ends: fault,
    },
    { name: 'lines without end', setting, hex: '06D10041', times: 2_100, isMuted: true, ends: fault },
    { name: 'templates in templates', setting, hex: `040F067F${'E17D'.repeat(63)}00`, ends: fault },
  ]),
];
