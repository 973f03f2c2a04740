/** Says on every screen that this till may move no money where it is, or as it is; whoever may is led to the page. */
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { MACHINE, mayPlace } from '../screens.ts';
import { useSession } from '../session.ts';
import { useWords } from '../words/words.ts';

export const HeldBar = () => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const held = data?.shop.held;
  if (held === undefined) return null;
  return (
    <div className="tg-mode tg-held" role="alert">
      <IconAlertTriangle size="1.25em" aria-hidden />
      <span>{shared.held[held]}</span>
      {mayPlace(data?.signedIn) && <Link href={MACHINE}>{shared.held.look}</Link>}
    </div>
  );
};
