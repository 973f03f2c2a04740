/**
 * Says on every screen that this till may move no money where it is, or as it is, and to managers that others can read
 * what it sends; whoever may is led to the page.
 */
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { MACHINE, mayPlace } from '../screens.ts';
import { useSession } from '../session.ts';
import { useWords } from '../words/words.ts';

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
