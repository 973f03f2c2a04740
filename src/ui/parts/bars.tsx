/** The bars over every screen: that no money moves in this mode, which is also marked beside sales. */
import { Badge } from '@mantine/core';
import { Link } from 'wouter';
import type { DisplayMode } from '../../base/mode.ts';
import { IconAlertTriangle, IconFlask, IconSchool } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { GO_LIVE, MACHINE, mayGoLive, mayPlace } from '../screens.ts';
import { useSession } from '../session.ts';

const icons = { test: IconFlask, training: IconSchool };

/** The till's mode; live while nothing is known about the till, since then no screen shows anything of it. */
export const useMode = (): DisplayMode => useSession().data?.shop.mode ?? 'live';

/** Nothing at a live till. People who may go live get a link to that page, unless `plain`. */
export const ModeBar = ({ plain = false }: { plain?: boolean }) => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const mode = useMode();
  if (mode === 'live') return null;
  const Icon = icons[mode];
  const { name, why } = shared.modes[mode];
  return (
    <div className="tg-mode" role="note">
      <Icon size="1.25em" />
      <span>
        <strong>{name}</strong> · {why}
      </span>
      {!plain && mode === 'test' && mayGoLive(data?.signedIn) && <Link href={GO_LIVE}>{shared.goLive}</Link>}
    </div>
  );
};

/** Beside a sale, list or report without real money; nothing at a live till. */
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
 * Says on every screen that this till may not move money in its present state, and tells managers that its traffic can
 * be read by others. People who can change that get a link to the page.
 */
export const HeldBar = () => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const { held, plainUsed } = data?.shop ?? {};
  const isManager = mayPlace(data?.signedIn);
  // A cashier cannot do anything about a warning.
  const heldText = held ?? (plainUsed === true && isManager ? 'plainUsed' : undefined);
  if (heldText === undefined) return null;
  return (
    <div className={`tg-mode ${held === undefined ? 'tg-warned' : 'tg-held'}`} role="alert">
      <IconAlertTriangle size="1.25em" />
      <span>{shared.held[heldText]}</span>
      {isManager && <Link href={MACHINE}>{shared.held.look}</Link>}
    </div>
  );
};
