import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../i18n/index.js';
import { Icon } from '../ui/icon.js';
import { filtersOfText } from '../pages/transactions/filters-of-text.js';

/** One search field for any identifier; "/" focuses it. The service searches every meaning of the text. */
export function QuickSearch() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', jump);
    return () => document.removeEventListener('keydown', jump);
  }, []);
  return (
    <search className="top-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = field.current!.value.trim();
          if (typed === '') return;
          const filters = filtersOfText(typed);
          const search = new URLSearchParams(filters ?? { q: typed }).toString();
          void navigate({ pathname: filters ? '/transactions' : '/search', search });
          field.current!.value = '';
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('Search')}
          aria-keyshortcuts="/"
          placeholder={t('Id, order, name, CPF or CNPJ, account, amount …')}
        />
      </form>
    </search>
  );
}
