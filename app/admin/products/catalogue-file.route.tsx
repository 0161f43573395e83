import { Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Row, Stack, ErrorText } from '#app/ui/layout.tsx'
import { useMutation } from '@tanstack/react-query'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
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
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const importCatalogue = useImportCatalogue()
  const saving = useToastMutation({ mutationFn: exportCatalogue, invalidates: [] })
  const reading = useMutation({ mutationFn: previewImport })
  const isBusy = reading.isPending || saving.isPending

  const read = (file: File) => {
    setPreview(null)
    // Not an option of the mutation: that would also show a file that another one has replaced meanwhile.
    reading.mutate(file, { onSuccess: setPreview })
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
        import it: you see every change before it is saved. A new lure address creates a draft. Leave “Colour
        address” empty for a new colour. Leave “Stock when exported” as it is, so that the import changes
        stock only where you edited it.
      </p>
      <Row gap={3} align="stretch" wrap>
        <Button disabled={isBusy} onClick={() => saving.mutate()}>
          <Download size={18} aria-hidden /> Download CSV
        </Button>
        <FileButton
          accept=".csv,text/csv"
          disabled={importCatalogue.isPending}
          onChoose={([file]) => file && read(file)}
        >
          <FileUp size={18} aria-hidden /> {reading.isPending ? 'Reading...' : 'Choose a file'}
        </FileButton>
      </Row>
      <ErrorText role="alert">{reading.error?.message}</ErrorText>
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
