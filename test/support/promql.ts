import { parser } from '@prometheus-io/lezer-promql';

/** A series as an expression asks for it. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels that the expression groups or joins by. */
  readonly grouping: readonly string[];
}

/**
 * What a PromQL expression asks for, by the parser of the Prometheus project.
 * @throws Error naming the place, where it is not PromQL
 */
export function parsePromQl(text: string): Expression {
  const selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const own = text.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`);
      if (type.name === 'VectorSelector') {
        const metric = node.getChild('Identifier');
        if (!metric) throw new Error(`a series without a name at ${from}: ${text}`);
        selectors.push({ metric: text.slice(metric.from, metric.to), matchers: [] });
      }
      if (type.name === 'UnquotedLabelMatcher') {
        const [, label, operator, value] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(own)!;
        selectors.at(-1)!.matchers.push({ label: label!, operator: operator!, value: value! });
      }
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouping.push(own);
    },
  });
  return { selectors, grouping };
}
