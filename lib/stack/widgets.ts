/**
 * Widgets of a CloudWatch dashboard, laid out in rows of a grid 24 wide.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */

type Options = {
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
