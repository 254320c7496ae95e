import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface Props {
  readonly label: string;
  readonly tabs: readonly (readonly [value: string, name: string, content: ReactNode])[];
}

/** Tabs whose choice is part of the URL. */
export function Tabs({ label, tabs }: Props) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const value = tabs.some(([one]) => one === asked) ? asked : tabs[0]![0];
  return (
    <Base.Root
      value={value}
      onValueChange={(next: string) => setSearch({ tab: next }, { replace: true, preventScrollReset: true })}
    >
      <Base.List className="tabs" aria-label={label}>
        {tabs.map(([one, name]) => (
          <Base.Tab key={one} value={one} className="tab">
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(([one, , content]) => (
        <Base.Panel key={one} value={one} className="tab-panel">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
