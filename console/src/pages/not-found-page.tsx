import { Link } from 'react-router';
import { t } from '../i18n/index.js';
import { Page } from '../ui/layout.js';
import { Empty } from '../ui/states.js';

export function NotFoundPage() {
  return (
    <Page title={t('No such page')}>
      <Empty title={t('There is nothing at this address.')}>
        <Link to="/">{t('Go to the overview')}</Link>
      </Empty>
    </Page>
  );
}
