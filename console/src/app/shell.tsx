import { Dialog } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../i18n/index.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useNotify } from '../ui/toasts.js';
import { formatMoment } from '../format/date.js';
import { QuickSearch } from './quick-search.js';
import { useSession } from './session.js';

/** The frame of every page: navigation, search, and who is signed in. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('Skip to the content')}
      </a>
      <Sidebar />
      <header className="top">
        <Drawer />
        <Brand />
        <QuickSearch />
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Brand() {
  return (
    <Link className="brand" to="/">
      <img src="/console/icon.svg" width="24" height="24" alt="" />
      {t('Payments console')}
    </Link>
  );
}

function Sidebar() {
  return (
    <div className="side">
      <Brand />
      <Navigation />
      <SignedInUser />
    </div>
  );
}

/** The navigation on a phone: behind a button. */
function Drawer() {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const [shownAt, setShownAt] = useState(pathname);
  if (shownAt !== pathname) {
    setShownAt(pathname);
    setOpen(false);
  }
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="button menu-button" aria-label={t('Menu')}>
        <Icon name="menu" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <div className="row spread">
            <Dialog.Title>{t('Menu')}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label={t('Close')}>
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <Navigation />
          <SignedInUser />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Navigation() {
  const { session, mayChange } = useSession();
  const limited = session.partnerUid !== null;
  const links: [shown: boolean, to: string, icon: IconName, name: string][] = [
    [!limited, '/', 'overview', t('Overview')],
    [true, '/partners', 'partners', t('Partners')],
    [true, '/transactions', 'transactions', t('Transactions')],
    [mayChange, '/deliveries', 'refresh', t('Deliveries')],
    [true, '/ledger', 'ledger', t('Ledger')],
    [true, '/med', 'med', t('MED cases')],
    [mayChange, '/reconciliation', 'reconciliation', t('Reconciliation')],
    [mayChange, '/auditors', 'auditors', t('Auditors')],
    [mayChange && session.features.sandbox, '/sandbox', 'sandbox', t('Sandbox')],
  ];
  return (
    <nav aria-label={t('Pages')}>
      <ul className="nav-list">
        {links
          .filter(([shown]) => shown)
          .map(([, to, icon, name]) => (
            <li key={to}>
              <NavLink to={to} end={to === '/'}>
                <Icon name={icon} />
                {name}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function SignedInUser() {
  const { session, signOut } = useSession();
  const notify = useNotify();
  const leave = useMutation({
    mutationFn: signOut,
    onError: (error) => notify(t('Sign-out failed'), 'bad', error.message),
  });
  return (
    <div className="side-foot">
      <div>
        <strong className="break">{session.name}</strong>
        <div className="muted">{session.role === 'operator' ? t('Operator') : t('Auditor, read-only')}</div>
        <div className="muted" title={session.expiresAt}>
          {t('Session until {}', formatMoment(session.expiresAt).slice(-8, -3))}
        </div>
      </div>
      <button type="button" className="button small" disabled={leave.isPending} onClick={() => leave.mutate()}>
        {t('Sign out')}
      </button>
      <div className="muted break">{session.institution.name}</div>
      <div className="muted">{t('Amounts and dates as in Brazil, times of Brasília.')}</div>
    </div>
  );
}
