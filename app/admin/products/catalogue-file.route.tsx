import { Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import {
  countOf,
  exportCatalogue,
  previewImport,
  reportFromError,
  useImportCatalogue,
  type ImportPreview,
} from './file/catalogue-file.ts'
import { FileButton } from './file-button.tsx'
import styles from './file/file.module.css'
import { ImportReport } from './file/import-report.tsx'
import { BackLink } from '../frame/back-link.tsx'

/** Catalogue export and import. The import previews every row first and writes all rows or none. */
export default function CatalogueFile() {
  const toast = useToast()
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const [state, setState] = useState<'idle' | 'reading' | 'writing-out'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const importCatalogue = useImportCatalogue()

  const choose = async (file: File | undefined) => {
    if (!file) return
    setState('reading')
    setProblem(null)
    setPreview(null)
    try {
      setPreview(await previewImport(file))
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
  const apply = (file: ImportPreview) =>
    importCatalogue.mutate(file, {
      onSuccess: () => setPreview(null),
      onError: (error) => {
        const report = reportFromError(error)
        if (report) setPreview({ ...file, report })
      },
    })

  return (
    <Stack as="section" gap={4} align="start" className={styles.page} aria-labelledby="file-title">
      <BackLink to="/admin/products">Products</BackLink>
      <h2 id="file-title">Import and export</h2>
      <p className={styles.words}>
        The file has one row per colour and repeats the lure’s columns in each. Edit it in a spreadsheet and
        import it: you see every change before it is saved. A new lure address creates a draft.
      </p>
      <Row gap={3} align="stretch" wrap>
        <Button disabled={state !== 'idle'} onClick={() => void save()}>
          <Download size={18} aria-hidden /> Download CSV
        </Button>
        <FileButton accept=".csv,text/csv" onChoose={([file]) => void choose(file)}>
          <FileUp size={18} aria-hidden /> {state === 'reading' ? 'Reading...' : 'Choose a file'}
        </FileButton>
      </Row>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {preview && (
        <ImportReport
          preview={preview}
          action={
            <Button
              look="action"
              disabled={
                importCatalogue.isPending || countOf(preview.report, 'wrong') > 0 || changesNothing(preview)
              }
              onClick={() => apply(preview)}
            >
              {importCatalogue.isPending ? 'Importing...' : 'Import'}
            </Button>
          }
        />
      )}
    </Stack>
  )
}

function changesNothing({ report }: ImportPreview): boolean {
  return countOf(report, 'same') === report.length
}
