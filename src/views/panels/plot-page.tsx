import type { App } from '../../app/app.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PlayPage } from '../play/play.tsx'
import { playProps, plotProps } from '../play/play-props.ts'
import { Plot, type PlotProps } from './plot.tsx'

/** For a refused or tested form of the plot. */
export function plotPage(
  app: App,
  id: number,
  {
    notice,
    ...props
  }: Pick<PlotProps, 'typed' | 'fault' | 'tried' | 'recalled' | 'typedAnswers'> & { notice: string },
): Markup {
  return (
    <PlayPage
      {...playProps(app, id)}
      notice={notice}
      panel={{ name: 'plot', content: <Plot {...plotProps(app, id)} {...props} /> }}
    />
  )
}
