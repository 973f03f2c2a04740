/** What stands over every screen: that no money moves in this mode, also as a mark beside what sales show. */
import { Badge } from '@mantine/core';
import { Link } from 'wouter';
import type { DisplayMode } from '../../base/mode.ts';
import { IconAlertTriangle, IconFlask, IconSchool } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { GO_LIVE, MACHINE, mayGoLive, mayPlace } from '../screens.ts';
import { useSession } from '../session.ts';

const icons = { test: IconFlask, training: IconSchool };

/** The till's mode; live as long as nothing is known of the till, since then no screen shows anything of it. */
export const useMode = (): DisplayMode => useSession().data?.shop.mode ?? 'live';

/** Nothing at a live till. Whoever may is led from here to the page that makes one; not where `plain`. */
export const ModeBar = ({ plain = false }: { plain?: boolean }) => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const mode = useMode();
  if (mode === 'live') return null;
  const Icon = icons[mode];
  const { name, why } = shared.modes[mode];
  return (
    <div className="tg-mode" role="note">
      <Icon size="1.25em" aria-hidden />
      <span>
        <strong>{name}</strong> · {why}
      </span>
      {!plain && mode === 'test' && mayGoLive(data?.signedIn) && <Link href={GO_LIVE}>{shared.goLive}</Link>}
    </div>
  );
};

/** Beside a sale, a list or a report that is not of real money; nothing at a live till. */
export const ModeMark = () => {
  const { shared } = useWords('signIn');
  const mode = useMode();
  if (mode === 'live') return null;
  const { mark, name } = shared.modes[mode];
  return (
    <Badge className="tg-mark" radius="sm" tt="none" title={name}>
      {mark}
    </Badge>
  );
};

/**
 * Says on every screen that this till may move no money where it is, or as it is, and to managers that others can read
 * what it sends; whoever may is led to the page.
 */
export const HeldBar = () => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const { held, plainUsed } = data?.shop ?? {};
  const isManager = mayPlace(data?.signedIn);
  // A cashier can do nothing about a warning.
  const says = held ?? (plainUsed === true && isManager ? 'plainUsed' : undefined);
  if (says === undefined) return null;
  return (
    <div className={`tg-mode ${held === undefined ? 'tg-warned' : 'tg-held'}`} role="alert">
      <IconAlertTriangle size="1.25em" aria-hidden />
      <span>{shared.held[says]}</span>
      {isManager && <Link href={MACHINE}>{shared.held.look}</Link>}
    </div>
  );
};
