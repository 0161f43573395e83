import { ChevronLeft, Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import {
  countOf,
  exportCatalogue,
  judgeFile,
  newReport,
  useWriteFile,
  type JudgedFile,
} from './file/catalogue-file.ts'
import { FileButton } from './file-button.tsx'
import styles from './file/file.module.css'
import { FileReport } from './file/file-report.tsx'

/** The catalogue out to a spreadsheet and in again: every row is judged first, and one wrong row keeps all of them out. */
export default function CatalogueFile() {
  const toast = useToast()
  const [judged, setJudged] = useState<JudgedFile | null>(null)
  const [state, setState] = useState<'idle' | 'reading' | 'writing-out'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const write = useWriteFile()

  const choose = async (file: File | undefined) => {
    if (!file) return
    setState('reading')
    setProblem(null)
    setJudged(null)
    try {
      setJudged(await judgeFile(file))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file could not be read.')
    }
    setState('idle')
  }
  const save = async () => {
    setState('writing-out')
    try {
      await exportCatalogue()
    } catch (error) {
      const description = error instanceof Error ? error.message : undefined
      toast({ title: 'Error', description, tone: 'destructive' })
    }
    setState('idle')
  }
  const apply = (file: JudgedFile) =>
    write.mutate(file, {
      onSuccess: () => setJudged(null),
      onError: (error) => {
        const report = newReport(error)
        if (report) setJudged({ ...file, report })
      },
    })

  return (
    <section className={styles.page} aria-labelledby="file-title">
      <Link className={styles.back} to="/admin/products">
        <ChevronLeft size={18} aria-hidden /> Products
      </Link>
      <h2 id="file-title">Catalogue as a file</h2>
      <p className={styles.words}>
        A row for each colour, its lure’s columns repeated. Change what you like in a spreadsheet and bring it
        back: you see what would happen before anything is written. A new address makes a new lure, as a
        draft.
      </p>
      <div className={styles.actions}>
        <Button disabled={state !== 'idle'} onClick={() => void save()}>
          <Download size={18} aria-hidden /> Download CSV
        </Button>
        <FileButton accept=".csv,text/csv" onChoose={([file]) => void choose(file)}>
          <FileUp size={18} aria-hidden /> {state === 'reading' ? 'Reading...' : 'Choose a file'}
        </FileButton>
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {judged && (
        <FileReport
          file={judged}
          action={
            <Button
              look="action"
              disabled={write.isPending || countOf(judged.report, 'wrong') > 0 || isNothing(judged)}
              onClick={() => apply(judged)}
            >
              {write.isPending ? 'Importing...' : 'Import'}
            </Button>
          }
        />
      )}
    </section>
  )
}

function isNothing({ report }: JudgedFile): boolean {
  return countOf(report, 'same') === report.length
}
