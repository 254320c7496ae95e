import { Component, type ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../i18n/index.js';
import { Page } from '../ui/layout.js';
import { Failure } from '../ui/states.js';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error?: Error;
}

/** A page that cannot be shown says so, instead of leaving the console blank. */
export class FailedPage extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Page title={t('This page failed')}>
        {/* A page's script that could not be loaded, as after an upgrade, is loaded by a new document only. */}
        <Failure error={error} onRetry={() => window.location.reload()} />
        <Link to="/">{t('Go to the overview')}</Link>
      </Page>
    );
  }
}
