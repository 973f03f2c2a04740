/** The way between till and terminal, drawn: a serial cable, a USB cable, or a network; whole, in use, or cut. */
import type { LinkKind } from '../../api/ports/devices.ts';

export type LinkState = 'ready' | 'busy' | 'away';

const colours = {
  ready: 'var(--mantine-color-green-6)',
  busy: 'var(--mantine-color-blue-6)',
  away: 'var(--mantine-color-red-6)',
} as const;

const Till = () => (
  <g>
    <rect x="6" y="14" width="58" height="38" rx="5" />
    <path d="M20 62h30M35 52v10" />
    <path d="M16 26h24M16 34h14" strokeWidth="2" />
  </g>
);

const Terminal = () => (
  <g>
    <rect x="232" y="6" width="42" height="64" rx="7" />
    <rect x="239" y="13" width="28" height="17" rx="3" strokeWidth="2" />
    {[38, 47, 56].map((y) =>
      [244, 253, 262].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="2" fill="currentColor" stroke="none" />),
    )}
  </g>
);

/** What sits in the middle of the way. */
const middles: Readonly<Record<LinkKind, React.ReactNode>> = {
  serial: (
    <g>
      <path d="M126 26h48l-7 24h-34z" />
      {[136, 145, 154, 163].map((x) => (
        <circle key={x} cx={x} cy="33" r="2" fill="currentColor" stroke="none" />
      ))}
      {[141, 150, 159].map((x) => (
        <circle key={x} cx={x} cy="42" r="2" fill="currentColor" stroke="none" />
      ))}
    </g>
  ),
  hid: (
    <g>
      <rect x="122" y="26" width="38" height="24" rx="4" />
      <rect x="160" y="30" width="18" height="16" rx="2" />
      <path d="M131 38h18M143 33l7 5-7 5" strokeWidth="2" />
    </g>
  ),
  tcp: (
    <g>
      <circle cx="150" cy="38" r="19" />
      <ellipse cx="150" cy="38" rx="8" ry="19" strokeWidth="2" />
      <path d="M131 38h38M134 29h32M134 47h32" strokeWidth="2" />
    </g>
  ),
};

export const LinkPicture = ({ link, state, says }: { link: LinkKind; state: LinkState; says: string }) => (
  <svg
    viewBox="0 0 280 76"
    role="img"
    aria-label={says}
    style={{ width: '100%', maxHeight: '5rem' }}
    fill="none"
    stroke="currentColor"
    strokeWidth="2.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <Till />
    <g style={{ color: colours[state] }} stroke="currentColor">
      <path d="M66 38H120M182 38h46" strokeWidth="4" {...(state === 'away' && { strokeDasharray: '2 10' })} />
      {middles[link]}
      {state === 'away' && <path d="M196 28l20 20M216 28l-20 20" strokeWidth="4" />}
    </g>
    <Terminal />
  </svg>
);
