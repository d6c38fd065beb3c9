/**
 * Widgets of a CloudWatch dashboard, laid out in rows of a grid 24 wide.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */

type Options = {
  readonly expression?: string;
  readonly label?: string;
  readonly stat?: string;
  readonly yAxis?: 'left' | 'right';
  readonly color?: string;
};

/** Namespace, name, dimensions and options, as a dashboard has them. */
export type Metric = readonly (string | Options)[];

export type Widget =
  | { readonly title: string; readonly metrics: readonly Metric[]; readonly stat?: string }
  | { readonly markdown: string };

/** The widgets of a row share its width. */
export type Row = { readonly height: number; readonly widgets: readonly Widget[] };

const gridWidth = 24;
const periodSeconds = 300;

/** A metric of one resource under several statistics. `...` repeats namespace, name and dimensions of the metric before it. */
export function statistics(metric: Metric, stats: readonly string[], label: string): Metric[] {
  return stats.map((stat, index) => [...(index === 0 ? metric : ['...']), { stat, label: `${label} ${stat}` }]);
}

const most = 20;

/**
 * The twenty highest metrics of a search. They are found when the dashboard is opened, so that a new function is there without a change.
 *
 * @param search a word without quotes finds each value of which it is a part:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html
 * @param by counts by their sum, times by their largest
 */
export function highestOf(search: string, stat: string, by: 'SUM' | 'MAX' = 'SUM'): Metric {
  const found = `SEARCH('${search}', '${stat}', ${periodSeconds})`;
  return [{ expression: `SORT(${found}, ${by}, DESC, ${most})` }];
}

export function dashboardBody(region: string, rows: readonly Row[]) {
  let y = 0;
  return {
    widgets: rows.flatMap(({ height, widgets }) => {
      const width = Math.floor(gridWidth / widgets.length);
      const made = widgets.map((widget, index) => ({ x: index * width, y, width, height, ...bodyOf(region, widget) }));
      y += height;
      return made;
    }),
  };
}

function bodyOf(region: string, widget: Widget) {
  if ('markdown' in widget)
    return { type: 'text', properties: { markdown: widget.markdown, background: 'transparent' } };
  const { title, metrics, stat = 'Sum' } = widget;
  return { type: 'metric', properties: { title, metrics, stat, region, period: periodSeconds, view: 'timeSeries' } };
}
