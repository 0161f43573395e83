// Made by `npm run types:database` from the catalogue of a fresh database. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export interface Database {
  /** Tells the client which version of PostgREST the API behaves like. */
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: {
      cart_items: {
        Row: {
          created_at: string
          id: string
          image_url: string | null
          merged_line: string | null
          merged_quantity: number
          price: number
          product_name: string
          product_variant: string
          quantity: number
          user_id: string
          variant_id: string | null
          with_hooks: boolean
        }
        Insert: {
          created_at?: string
          id?: string
          image_url?: string | null
          merged_line?: string | null
          merged_quantity?: number
          price: number
          product_name: string
          product_variant: string
          quantity?: number
          user_id?: string
          variant_id?: string | null
          with_hooks: boolean
        }
        Update: {
          created_at?: string
          id?: string
          image_url?: string | null
          merged_line?: string | null
          merged_quantity?: number
          price?: number
          product_name?: string
          product_variant?: string
          quantity?: number
          user_id?: string
          variant_id?: string | null
          with_hooks?: boolean
        }
        Relationships: [
          {
            foreignKeyName: 'cart_items_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'cart_items_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      changes: {
        Row: {
          actor: 'admin' | 'packer' | 'account' | 'secret key' | 'server'
          actor_id: string | null
          after: Json | null
          before: Json | null
          changed_at: string
          forgotten_at: string | null
          id: number
          personal: string[]
          row_id: string
          row_label: string | null
          session_id: string | null
          table_name: string
          undoes: number | null
          verb: 'insert' | 'update' | 'delete'
          withheld: string[]
        }
        Insert: {
          actor: 'admin' | 'packer' | 'account' | 'secret key' | 'server'
          actor_id?: string | null
          after?: Json | null
          before?: Json | null
          changed_at?: string
          forgotten_at?: string | null
          id?: never
          personal: string[]
          row_id: string
          row_label?: string | null
          session_id?: string | null
          table_name: string
          undoes?: number | null
          verb: 'insert' | 'update' | 'delete'
          withheld: string[]
        }
        Update: {
          actor?: 'admin' | 'packer' | 'account' | 'secret key' | 'server'
          actor_id?: string | null
          after?: Json | null
          before?: Json | null
          changed_at?: string
          forgotten_at?: string | null
          id?: never
          personal?: string[]
          row_id?: string
          row_label?: string | null
          session_id?: string | null
          table_name?: string
          undoes?: number | null
          verb?: 'insert' | 'update' | 'delete'
          withheld?: string[]
        }
        Relationships: [
          {
            foreignKeyName: 'changes_undoes_fkey'
            columns: ['undoes']
            isOneToOne: false
            referencedRelation: 'changes'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'changes_undoes_fkey'
            columns: ['undoes']
            isOneToOne: false
            referencedRelation: 'history'
            referencedColumns: ['id']
          },
        ]
      }
      client_notes: {
        Row: {
          author_id: string
          body: string
          client_id: string
          created_at: string
          id: string
        }
        Insert: {
          author_id?: string
          body: string
          client_id: string
          created_at?: string
          id?: string
        }
        Update: {
          author_id?: string
          body?: string
          client_id?: string
          created_at?: string
          id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'client_notes_client_id_fkey'
            columns: ['client_id']
            isOneToOne: false
            referencedRelation: 'clients'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'client_notes_client_id_fkey'
            columns: ['client_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      contact_answers: {
        Row: {
          answered_at: string
          answered_by: string
          submission_id: string
        }
        Insert: {
          answered_at?: string
          answered_by?: string
          submission_id: string
        }
        Update: {
          answered_at?: string
          answered_by?: string
          submission_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'contact_answers_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: true
            referencedRelation: 'contact_submissions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'contact_answers_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: true
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      contact_replies: {
        Row: {
          created_at: string
          id: string
          mail_id: string | null
          message: string
          replied_by: string
          subject: string
          submission_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          mail_id?: string | null
          message: string
          replied_by: string
          subject: string
          submission_id: string
        }
        Update: {
          created_at?: string
          id?: string
          mail_id?: string | null
          message?: string
          replied_by?: string
          subject?: string
          submission_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'contact_replies_mail_id_fkey'
            columns: ['mail_id']
            isOneToOne: false
            referencedRelation: 'mails'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'contact_replies_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: false
            referencedRelation: 'contact_submissions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'contact_replies_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      contact_submissions: {
        Row: {
          created_at: string
          email: string
          id: string
          message: string
          name: string
          subject: string
        }
        Insert: {
          created_at?: string
          email: string
          id?: string
          message: string
          name: string
          subject: string
        }
        Update: {
          created_at?: string
          email?: string
          id?: string
          message?: string
          name?: string
          subject?: string
        }
        Relationships: []
      }
      courier_companies: {
        Row: {
          contact_person: string | null
          contact_phone: string | null
          created_at: string
          id: string
          is_archived: boolean
          name: string
          tracking_url: string | null
          updated_at: string
        }
        Insert: {
          contact_person?: string | null
          contact_phone?: string | null
          created_at?: string
          id?: string
          is_archived?: boolean
          name: string
          tracking_url?: string | null
          updated_at?: string
        }
        Update: {
          contact_person?: string | null
          contact_phone?: string | null
          created_at?: string
          id?: string
          is_archived?: boolean
          name?: string
          tracking_url?: string | null
          updated_at?: string
        }
        Relationships: []
      }
      full_gallery_days: {
        Row: {
          day: string
          id: string
          last_refused_at: string
          refused: number
        }
        Insert: {
          day: string
          id?: string
          last_refused_at?: string
          refused?: number
        }
        Update: {
          day?: string
          id?: string
          last_refused_at?: string
          refused?: number
        }
        Relationships: []
      }
      gallery_contacts: {
        Row: {
          email: string
          submission_id: string
        }
        Insert: {
          email: string
          submission_id: string
        }
        Update: {
          email?: string
          submission_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'gallery_contacts_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: true
            referencedRelation: 'gallery_submissions'
            referencedColumns: ['id']
          },
        ]
      }
      gallery_reviews: {
        Row: {
          decided_at: string
          decided_by: string | null
          id: number
          reason: string | null
          submission_id: string
          verdict: 'pending' | 'approved' | 'declined'
        }
        Insert: {
          decided_at?: string
          decided_by?: string | null
          id?: never
          reason?: string | null
          submission_id: string
          verdict: 'pending' | 'approved' | 'declined'
        }
        Update: {
          decided_at?: string
          decided_by?: string | null
          id?: never
          reason?: string | null
          submission_id?: string
          verdict?: 'pending' | 'approved' | 'declined'
        }
        Relationships: [
          {
            foreignKeyName: 'gallery_reviews_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: false
            referencedRelation: 'gallery_submissions'
            referencedColumns: ['id']
          },
        ]
      }
      gallery_submissions: {
        Row: {
          created_at: string
          customer_name: string
          description: string
          email: string | null
          id: string
          image_url: string
          image_urls: string[]
          product_id: string | null
          status: 'pending' | 'approved' | 'declined'
          updated_at: string
          variant_id: string | null
        }
        Insert: {
          created_at?: string
          customer_name: string
          description: string
          email?: string | null
          id?: string
          image_url: string
          image_urls: string[]
          product_id?: string | null
          status?: 'pending' | 'approved' | 'declined'
          updated_at?: string
          variant_id?: string | null
        }
        Update: {
          created_at?: string
          customer_name?: string
          description?: string
          email?: string | null
          id?: string
          image_url?: string
          image_urls?: string[]
          product_id?: string | null
          status?: 'pending' | 'approved' | 'declined'
          updated_at?: string
          variant_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'gallery_submissions_product_id_fkey'
            columns: ['product_id']
            isOneToOne: false
            referencedRelation: 'products'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'gallery_submissions_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'gallery_submissions_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      list_settings: {
        Row: {
          density: 'comfortable' | 'compact'
          hidden_columns: string[]
          list: string
          user_id: string
        }
        Insert: {
          density?: 'comfortable' | 'compact'
          hidden_columns?: string[]
          list: string
          user_id?: string
        }
        Update: {
          density?: 'comfortable' | 'compact'
          hidden_columns?: string[]
          list?: string
          user_id?: string
        }
        Relationships: []
      }
      mails: {
        Row: {
          attempts: number
          confidential: boolean
          created_at: string
          html: string | null
          id: string
          is_marketing: boolean
          key: string
          last_error: string | null
          props: Json
          recipient: string | null
          request_id: string | null
          sent_at: string | null
          sent_to: string | null
          signup_id: string | null
          status: 'queued' | 'sent' | 'failed'
          subject: string | null
          template: string
          text: string | null
        }
        Insert: {
          attempts?: number
          confidential?: boolean
          created_at?: string
          html?: string | null
          id?: string
          is_marketing?: never
          key: string
          last_error?: string | null
          props: Json
          recipient?: string | null
          request_id?: string | null
          sent_at?: string | null
          sent_to?: string | null
          signup_id?: string | null
          status?: 'queued' | 'sent' | 'failed'
          subject?: string | null
          template: string
          text?: string | null
        }
        Update: {
          attempts?: number
          confidential?: boolean
          created_at?: string
          html?: string | null
          id?: string
          is_marketing?: never
          key?: string
          last_error?: string | null
          props?: Json
          recipient?: string | null
          request_id?: string | null
          sent_at?: string | null
          sent_to?: string | null
          signup_id?: string | null
          status?: 'queued' | 'sent' | 'failed'
          subject?: string | null
          template?: string
          text?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'mails_signup_id_fkey'
            columns: ['signup_id']
            isOneToOne: false
            referencedRelation: 'newsletter_signups'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'mails_signup_id_fkey'
            columns: ['signup_id']
            isOneToOne: false
            referencedRelation: 'subscribers'
            referencedColumns: ['id']
          },
        ]
      }
      marketing_consents: {
        Row: {
          created_at: string
          customer_id: string | null
          email: string
          id: number
          is_given: boolean
          source: string
          wording: string
        }
        Insert: {
          created_at?: string
          customer_id?: string | null
          email: string
          id?: never
          is_given: boolean
          source: string
          wording: string
        }
        Update: {
          created_at?: string
          customer_id?: string | null
          email?: string
          id?: never
          is_given?: boolean
          source?: string
          wording?: string
        }
        Relationships: [
          {
            foreignKeyName: 'marketing_consents_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'clients'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'marketing_consents_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      newsletter_signups: {
        Row: {
          accepted_terms: boolean
          claimed_at: string | null
          confirmation_sent_at: string | null
          created_at: string
          email: string
          id: string
          source: 'popup' | 'footer' | 'sign_up' | 'shop'
          unsubscribed_at: string | null
        }
        Insert: {
          accepted_terms?: boolean
          claimed_at?: string | null
          confirmation_sent_at?: string | null
          created_at?: string
          email: string
          id?: string
          source?: 'popup' | 'footer' | 'sign_up' | 'shop'
          unsubscribed_at?: string | null
        }
        Update: {
          accepted_terms?: boolean
          claimed_at?: string | null
          confirmation_sent_at?: string | null
          created_at?: string
          email?: string
          id?: string
          source?: 'popup' | 'footer' | 'sign_up' | 'shop'
          unsubscribed_at?: string | null
        }
        Relationships: []
      }
      order_events: {
        Row: {
          actor_id: string | null
          created_at: string
          detail: Json
          id: number
          kind: string
          order_id: string
        }
        Insert: {
          actor_id?: string | null
          created_at?: string
          detail?: Json
          id?: never
          kind: string
          order_id: string
        }
        Update: {
          actor_id?: string | null
          created_at?: string
          detail?: Json
          id?: never
          kind?: string
          order_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'order_events_order_id_fkey'
            columns: ['order_id']
            isOneToOne: false
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
        ]
      }
      order_items: {
        Row: {
          created_at: string
          id: string
          image_url: string | null
          order_id: string
          position: number
          price: number
          product_id: string | null
          product_name: string
          product_variant: string | null
          quantity: number
          returned_quantity: number
          variant_id: string | null
          with_hooks: boolean | null
        }
        Insert: {
          created_at?: string
          id?: string
          image_url?: string | null
          order_id: string
          position?: number
          price: number
          product_id?: string | null
          product_name: string
          product_variant?: string | null
          quantity: number
          returned_quantity?: number
          variant_id?: string | null
          with_hooks?: boolean | null
        }
        Update: {
          created_at?: string
          id?: string
          image_url?: string | null
          order_id?: string
          position?: number
          price?: number
          product_id?: string | null
          product_name?: string
          product_variant?: string | null
          quantity?: number
          returned_quantity?: number
          variant_id?: string | null
          with_hooks?: boolean | null
        }
        Relationships: [
          {
            foreignKeyName: 'order_items_order_id_fkey'
            columns: ['order_id']
            isOneToOne: false
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'order_items_product_id_fkey'
            columns: ['product_id']
            isOneToOne: false
            referencedRelation: 'products'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'order_items_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'order_items_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      order_notes: {
        Row: {
          author_id: string
          body: string
          created_at: string
          id: string
          order_id: string
        }
        Insert: {
          author_id?: string
          body: string
          created_at?: string
          id?: string
          order_id: string
        }
        Update: {
          author_id?: string
          body?: string
          created_at?: string
          id?: string
          order_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'order_notes_order_id_fkey'
            columns: ['order_id']
            isOneToOne: false
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
        ]
      }
      orders: {
        Row: {
          cancellation_reason: string | null
          cancelled_at: string | null
          courier_company_id: string | null
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          discount_amount: number
          expires_at: string | null
          id: string
          idempotency_key: string | null
          locker_location: string | null
          notes: string | null
          order_number: number
          paid_at: string | null
          placed_at: string | null
          promo_code: string | null
          promo_code_id: string | null
          reserved_until: string | null
          shipping_address: string | null
          shipping_city: string | null
          shipping_cost: number
          shipping_method: 'locker' | 'door-to-door' | 'hand-over'
          shipping_state: string | null
          shipping_zip: string | null
          status: 'pending_payment' | 'new' | 'processing' | 'shipped' | 'delivered' | 'cancelled' | 'pending'
          subtotal_amount: number | null
          total_amount: number
          tracking_number: string | null
          updated_at: string
        }
        Insert: {
          cancellation_reason?: string | null
          cancelled_at?: string | null
          courier_company_id?: string | null
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          discount_amount?: number
          expires_at?: string | null
          id?: string
          idempotency_key?: string | null
          locker_location?: string | null
          notes?: string | null
          order_number?: number
          paid_at?: string | null
          placed_at?: string | null
          promo_code?: string | null
          promo_code_id?: string | null
          reserved_until?: string | null
          shipping_address?: string | null
          shipping_city?: string | null
          shipping_cost?: number
          shipping_method: 'locker' | 'door-to-door' | 'hand-over'
          shipping_state?: string | null
          shipping_zip?: string | null
          status?:
            | 'pending_payment'
            | 'new'
            | 'processing'
            | 'shipped'
            | 'delivered'
            | 'cancelled'
            | 'pending'
          subtotal_amount?: number | null
          total_amount: number
          tracking_number?: string | null
          updated_at?: string
        }
        Update: {
          cancellation_reason?: string | null
          cancelled_at?: string | null
          courier_company_id?: string | null
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          discount_amount?: number
          expires_at?: string | null
          id?: string
          idempotency_key?: string | null
          locker_location?: string | null
          notes?: string | null
          order_number?: number
          paid_at?: string | null
          placed_at?: string | null
          promo_code?: string | null
          promo_code_id?: string | null
          reserved_until?: string | null
          shipping_address?: string | null
          shipping_city?: string | null
          shipping_cost?: number
          shipping_method?: 'locker' | 'door-to-door' | 'hand-over'
          shipping_state?: string | null
          shipping_zip?: string | null
          status?:
            | 'pending_payment'
            | 'new'
            | 'processing'
            | 'shipped'
            | 'delivered'
            | 'cancelled'
            | 'pending'
          subtotal_amount?: number | null
          total_amount?: number
          tracking_number?: string | null
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'orders_courier_company_id_fkey'
            columns: ['courier_company_id']
            isOneToOne: false
            referencedRelation: 'courier_companies'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'orders_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'clients'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'orders_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'orders_promo_code_id_fkey'
            columns: ['promo_code_id']
            isOneToOne: false
            referencedRelation: 'promo_code_results'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'orders_promo_code_id_fkey'
            columns: ['promo_code_id']
            isOneToOne: false
            referencedRelation: 'promo_codes'
            referencedColumns: ['id']
          },
        ]
      }
      payment_acceptances: {
        Row: {
          accepted_by: string
          created_at: string
          order_id: string
          payment_id: string
          shortfall: number
        }
        Insert: {
          accepted_by: string
          created_at?: string
          order_id: string
          payment_id: string
          shortfall?: number
        }
        Update: {
          accepted_by?: string
          created_at?: string
          order_id?: string
          payment_id?: string
          shortfall?: number
        }
        Relationships: [
          {
            foreignKeyName: 'payment_acceptances_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_acceptances_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payment_balances'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_acceptances_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payments'
            referencedColumns: ['id']
          },
        ]
      }
      payment_attempts: {
        Row: {
          amount: number
          created_at: string
          id: string
          m_payment_id: string
          merchant_id: string
          order_id: string
          order_number: number
          top_up_id: string | null
        }
        Insert: {
          amount: number
          created_at?: string
          id?: string
          m_payment_id: string
          merchant_id: string
          order_id: string
          order_number: number
          top_up_id?: string | null
        }
        Update: {
          amount?: number
          created_at?: string
          id?: string
          m_payment_id?: string
          merchant_id?: string
          order_id?: string
          order_number?: number
          top_up_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'payment_attempts_top_up_id_fkey'
            columns: ['top_up_id']
            isOneToOne: false
            referencedRelation: 'payment_top_ups'
            referencedColumns: ['id']
          },
        ]
      }
      payment_issue_resolutions: {
        Row: {
          issue_id: string
          note: string
          resolved_at: string
          resolved_by: string | null
        }
        Insert: {
          issue_id: string
          note: string
          resolved_at?: string
          resolved_by?: string | null
        }
        Update: {
          issue_id?: string
          note?: string
          resolved_at?: string
          resolved_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'payment_issue_resolutions_issue_id_fkey'
            columns: ['issue_id']
            isOneToOne: true
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'payment_issue_resolutions_issue_id_fkey'
            columns: ['issue_id']
            isOneToOne: true
            referencedRelation: 'payment_issues'
            referencedColumns: ['id']
          },
        ]
      }
      payment_issues: {
        Row: {
          detail: Json
          id: string
          kind:
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
            | 'missed_notice'
            | 'missing_money'
            | 'history_differs'
            | 'refund_failed'
            | 'refund_unknown'
          notice_id: string | null
          order_id: string | null
          raised_at: string
          reopening: number
        }
        Insert: {
          detail?: Json
          id?: string
          kind:
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
            | 'missed_notice'
            | 'missing_money'
            | 'history_differs'
            | 'refund_failed'
            | 'refund_unknown'
          notice_id?: string | null
          order_id?: string | null
          raised_at?: string
          reopening?: number
        }
        Update: {
          detail?: Json
          id?: string
          kind?:
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
            | 'missed_notice'
            | 'missing_money'
            | 'history_differs'
            | 'refund_failed'
            | 'refund_unknown'
          notice_id?: string | null
          order_id?: string | null
          raised_at?: string
          reopening?: number
        }
        Relationships: [
          {
            foreignKeyName: 'payment_issues_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: false
            referencedRelation: 'payment_notices'
            referencedColumns: ['id']
          },
        ]
      }
      payment_notice_checks: {
        Row: {
          check_name: 'signature' | 'merchant' | 'source' | 'confirmation' | 'attempt' | 'amount'
          checked_at: string
          detail: string | null
          id: number
          notice_id: string
          result: 'passed' | 'failed' | 'unknown'
        }
        Insert: {
          check_name: 'signature' | 'merchant' | 'source' | 'confirmation' | 'attempt' | 'amount'
          checked_at?: string
          detail?: string | null
          id?: never
          notice_id: string
          result: 'passed' | 'failed' | 'unknown'
        }
        Update: {
          check_name?: 'signature' | 'merchant' | 'source' | 'confirmation' | 'attempt' | 'amount'
          checked_at?: string
          detail?: string | null
          id?: never
          notice_id?: string
          result?: 'passed' | 'failed' | 'unknown'
        }
        Relationships: [
          {
            foreignKeyName: 'payment_notice_checks_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: false
            referencedRelation: 'payment_notices'
            referencedColumns: ['id']
          },
        ]
      }
      payment_notice_outcomes: {
        Row: {
          decided_at: string
          notice_id: string
          outcome:
            | 'paid'
            | 'reinstated'
            | 'repeated'
            | 'not_a_payment'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
        }
        Insert: {
          decided_at?: string
          notice_id: string
          outcome:
            | 'paid'
            | 'reinstated'
            | 'repeated'
            | 'not_a_payment'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
        }
        Update: {
          decided_at?: string
          notice_id?: string
          outcome?:
            | 'paid'
            | 'reinstated'
            | 'repeated'
            | 'not_a_payment'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
        }
        Relationships: [
          {
            foreignKeyName: 'payment_notice_outcomes_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: true
            referencedRelation: 'payment_notices'
            referencedColumns: ['id']
          },
        ]
      }
      payment_notices: {
        Row: {
          headers: Json
          id: string
          m_payment_id: string | null
          raw_body: string
          received_at: string
          request_id: string | null
          source_address: string | null
        }
        Insert: {
          headers: Json
          id?: string
          m_payment_id?: string | null
          raw_body: string
          received_at?: string
          request_id?: string | null
          source_address?: string | null
        }
        Update: {
          headers?: Json
          id?: string
          m_payment_id?: string | null
          raw_body?: string
          received_at?: string
          request_id?: string | null
          source_address?: string | null
        }
        Relationships: []
      }
      payment_reconciliations: {
        Row: {
          created_at: string
          differences: number
          from_day: string
          id: number
          to_day: string
          transactions: number
        }
        Insert: {
          created_at?: string
          differences: number
          from_day: string
          id?: never
          to_day: string
          transactions: number
        }
        Update: {
          created_at?: string
          differences?: number
          from_day?: string
          id?: never
          to_day?: string
          transactions?: number
        }
        Relationships: []
      }
      payment_refund_events: {
        Row: {
          actor_id: string | null
          created_at: string
          detail: Json
          id: number
          refund_id: string
          state: 'requested' | 'sent' | 'unknown' | 'failed' | 'done' | 'withdrawn'
        }
        Insert: {
          actor_id?: string | null
          created_at?: string
          detail?: Json
          id?: never
          refund_id: string
          state: 'requested' | 'sent' | 'unknown' | 'failed' | 'done' | 'withdrawn'
        }
        Update: {
          actor_id?: string | null
          created_at?: string
          detail?: Json
          id?: never
          refund_id?: string
          state?: 'requested' | 'sent' | 'unknown' | 'failed' | 'done' | 'withdrawn'
        }
        Relationships: [
          {
            foreignKeyName: 'payment_refund_events_refund_id_fkey'
            columns: ['refund_id']
            isOneToOne: false
            referencedRelation: 'payment_refunds'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'payment_refund_events_refund_id_fkey'
            columns: ['refund_id']
            isOneToOne: false
            referencedRelation: 'refunds'
            referencedColumns: ['id']
          },
        ]
      }
      payment_refund_items: {
        Row: {
          order_item_id: string
          product_name: string
          product_variant: string | null
          quantity: number
          refund_id: string
          to_make: number
          with_hooks: boolean | null
        }
        Insert: {
          order_item_id: string
          product_name: string
          product_variant?: string | null
          quantity: number
          refund_id: string
          to_make?: number
          with_hooks?: boolean | null
        }
        Update: {
          order_item_id?: string
          product_name?: string
          product_variant?: string | null
          quantity?: number
          refund_id?: string
          to_make?: number
          with_hooks?: boolean | null
        }
        Relationships: [
          {
            foreignKeyName: 'payment_refund_items_refund_id_fkey'
            columns: ['refund_id']
            isOneToOne: false
            referencedRelation: 'payment_refunds'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'payment_refund_items_refund_id_fkey'
            columns: ['refund_id']
            isOneToOne: false
            referencedRelation: 'refunds'
            referencedColumns: ['id']
          },
        ]
      }
      payment_refunds: {
        Row: {
          amount: number
          created_at: string
          id: string
          order_id: string | null
          payment_id: string
          reason: string
          recorded_by: string
          restocked: boolean
          way: 'payfast' | 'by_hand'
        }
        Insert: {
          amount: number
          created_at?: string
          id?: string
          order_id?: string | null
          payment_id: string
          reason: string
          recorded_by: string
          restocked: boolean
          way?: 'payfast' | 'by_hand'
        }
        Update: {
          amount?: number
          created_at?: string
          id?: string
          order_id?: string | null
          payment_id?: string
          reason?: string
          recorded_by?: string
          restocked?: boolean
          way?: 'payfast' | 'by_hand'
        }
        Relationships: [
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'payment_balances'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'payments'
            referencedColumns: ['id']
          },
        ]
      }
      payment_top_ups: {
        Row: {
          amount: number
          created_at: string
          id: string
          order_id: string
          payment_id: string
          requested_by: string
        }
        Insert: {
          amount: number
          created_at?: string
          id?: string
          order_id: string
          payment_id: string
          requested_by: string
        }
        Update: {
          amount?: number
          created_at?: string
          id?: string
          order_id?: string
          payment_id?: string
          requested_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_top_ups_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_top_ups_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payment_balances'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_top_ups_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payments'
            referencedColumns: ['id']
          },
        ]
      }
      payment_withdrawals: {
        Row: {
          created_at: string
          order_id: string
          payment_id: string
          reason: string
          withdrawn_by: string
        }
        Insert: {
          created_at?: string
          order_id: string
          payment_id: string
          reason: string
          withdrawn_by: string
        }
        Update: {
          created_at?: string
          order_id?: string
          payment_id?: string
          reason?: string
          withdrawn_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'payment_withdrawals_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_withdrawals_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payment_balances'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_withdrawals_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: true
            referencedRelation: 'payments'
            referencedColumns: ['id']
          },
        ]
      }
      payments: {
        Row: {
          amount_fee: number | null
          amount_gross: number
          amount_net: number | null
          created_at: string
          id: string
          m_payment_id: string | null
          notice_id: string | null
          order_id: string | null
          outcome:
            | 'paid'
            | 'reinstated'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
          pf_payment_id: string | null
          received_on: string | null
          recorded_by: string | null
          reference: string | null
          way: 'payfast' | 'eft' | 'cash'
          withdrawn_before: number
        }
        Insert: {
          amount_fee?: number | null
          amount_gross: number
          amount_net?: number | null
          created_at?: string
          id?: string
          m_payment_id?: string | null
          notice_id?: string | null
          order_id?: string | null
          outcome:
            | 'paid'
            | 'reinstated'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
          pf_payment_id?: string | null
          received_on?: string | null
          recorded_by?: string | null
          reference?: string | null
          way?: 'payfast' | 'eft' | 'cash'
          withdrawn_before?: number
        }
        Update: {
          amount_fee?: number | null
          amount_gross?: number
          amount_net?: number | null
          created_at?: string
          id?: string
          m_payment_id?: string | null
          notice_id?: string | null
          order_id?: string | null
          outcome?:
            | 'paid'
            | 'reinstated'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
          pf_payment_id?: string | null
          received_on?: string | null
          recorded_by?: string | null
          reference?: string | null
          way?: 'payfast' | 'eft' | 'cash'
          withdrawn_before?: number
        }
        Relationships: [
          {
            foreignKeyName: 'payments_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: false
            referencedRelation: 'payment_notices'
            referencedColumns: ['id']
          },
        ]
      }
      product_variants: {
        Row: {
          created_at: string
          id: string
          image_alt: string | null
          image_url: string | null
          name: string
          position: number
          product_id: string
          sku: string | null
          slug: string
          stock_quantity: number
          updated_at: string
        }
        Insert: {
          created_at?: string
          id?: string
          image_alt?: string | null
          image_url?: string | null
          name: string
          position?: number
          product_id: string
          sku?: string | null
          slug: string
          stock_quantity?: number
          updated_at?: string
        }
        Update: {
          created_at?: string
          id?: string
          image_alt?: string | null
          image_url?: string | null
          name?: string
          position?: number
          product_id?: string
          sku?: string | null
          slug?: string
          stock_quantity?: number
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'product_variants_product_id_fkey'
            columns: ['product_id']
            isOneToOne: false
            referencedRelation: 'products'
            referencedColumns: ['id']
          },
        ]
      }
      products: {
        Row: {
          category: string | null
          created_at: string
          description: string
          hook_size: string | null
          id: string
          image_url: string | null
          images: Json
          length_mm: number | null
          low_stock_threshold: number | null
          made_to_order: boolean
          model: string | null
          name: string
          position: number
          price: number
          price_with_hooks: number | null
          publish_at: string | null
          shows_stock: boolean
          slug: string
          specs: Json
          status: 'draft' | 'announced' | 'live' | 'hidden'
          stock_quantity: number
          updated_at: string
          weight_grams: number | null
        }
        Insert: {
          category?: string | null
          created_at?: string
          description?: string
          hook_size?: string | null
          id?: string
          image_url?: string | null
          images?: Json
          length_mm?: number | null
          low_stock_threshold?: number | null
          made_to_order?: boolean
          model?: string | null
          name: string
          position?: number
          price?: number
          price_with_hooks?: number | null
          publish_at?: string | null
          shows_stock?: boolean
          slug: string
          specs?: Json
          status?: 'draft' | 'announced' | 'live' | 'hidden'
          stock_quantity?: number
          updated_at?: string
          weight_grams?: number | null
        }
        Update: {
          category?: string | null
          created_at?: string
          description?: string
          hook_size?: string | null
          id?: string
          image_url?: string | null
          images?: Json
          length_mm?: number | null
          low_stock_threshold?: number | null
          made_to_order?: boolean
          model?: string | null
          name?: string
          position?: number
          price?: number
          price_with_hooks?: number | null
          publish_at?: string | null
          shows_stock?: boolean
          slug?: string
          specs?: Json
          status?: 'draft' | 'announced' | 'live' | 'hidden'
          stock_quantity?: number
          updated_at?: string
          weight_grams?: number | null
        }
        Relationships: []
      }
      profiles: {
        Row: {
          address: string | null
          city: string | null
          created_at: string
          email: string | null
          full_name: string | null
          id: string
          phone: string | null
          state: string | null
          updated_at: string
          zip_code: string | null
        }
        Insert: {
          address?: string | null
          city?: string | null
          created_at?: string
          email?: string | null
          full_name?: string | null
          id: string
          phone?: string | null
          state?: string | null
          updated_at?: string
          zip_code?: string | null
        }
        Update: {
          address?: string | null
          city?: string | null
          created_at?: string
          email?: string | null
          full_name?: string | null
          id?: string
          phone?: string | null
          state?: string | null
          updated_at?: string
          zip_code?: string | null
        }
        Relationships: []
      }
      promo_codes: {
        Row: {
          code: string
          created_at: string
          discount_type: 'percentage' | 'fixed'
          discount_value: number
          expires_at: string | null
          first_order_only: boolean
          free_shipping: boolean
          id: string
          is_active: boolean
          min_order_amount: number
          per_customer_limit: number | null
          starts_at: string | null
          times_used: number
          updated_at: string
          usage_limit: number | null
        }
        Insert: {
          code: string
          created_at?: string
          discount_type: 'percentage' | 'fixed'
          discount_value: number
          expires_at?: string | null
          first_order_only?: boolean
          free_shipping?: boolean
          id?: string
          is_active?: boolean
          min_order_amount?: number
          per_customer_limit?: number | null
          starts_at?: string | null
          times_used?: number
          updated_at?: string
          usage_limit?: number | null
        }
        Update: {
          code?: string
          created_at?: string
          discount_type?: 'percentage' | 'fixed'
          discount_value?: number
          expires_at?: string | null
          first_order_only?: boolean
          free_shipping?: boolean
          id?: string
          is_active?: boolean
          min_order_amount?: number
          per_customer_limit?: number | null
          starts_at?: string | null
          times_used?: number
          updated_at?: string
          usage_limit?: number | null
        }
        Relationships: []
      }
      promo_redemptions: {
        Row: {
          created_at: string
          customer_id: string | null
          email: string | null
          order_id: string
          phone: string | null
          promo_code_id: string
          released_at: string | null
        }
        Insert: {
          created_at?: string
          customer_id?: string | null
          email?: string | null
          order_id: string
          phone?: string | null
          promo_code_id: string
          released_at?: string | null
        }
        Update: {
          created_at?: string
          customer_id?: string | null
          email?: string | null
          order_id?: string
          phone?: string | null
          promo_code_id?: string
          released_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'promo_redemptions_order_id_fkey'
            columns: ['order_id']
            isOneToOne: true
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'promo_redemptions_promo_code_id_fkey'
            columns: ['promo_code_id']
            isOneToOne: false
            referencedRelation: 'promo_code_results'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'promo_redemptions_promo_code_id_fkey'
            columns: ['promo_code_id']
            isOneToOne: false
            referencedRelation: 'promo_codes'
            referencedColumns: ['id']
          },
        ]
      }
      refund_tasks: {
        Row: {
          amount: number
          ended_as: 'withdrawn' | 'dismissed' | null
          ended_at: string | null
          ended_by: string | null
          id: string
          is_open: boolean
          opened_at: string
          opened_by: string | null
          order_id: string
          outstanding: number
          paying_amount: number
          reason: string | null
        }
        Insert: {
          amount: number
          ended_as?: 'withdrawn' | 'dismissed' | null
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          is_open?: never
          opened_at?: string
          opened_by?: string | null
          order_id: string
          outstanding: number
          paying_amount?: number
          reason?: string | null
        }
        Update: {
          amount?: number
          ended_as?: 'withdrawn' | 'dismissed' | null
          ended_at?: string | null
          ended_by?: string | null
          id?: string
          is_open?: never
          opened_at?: string
          opened_by?: string | null
          order_id?: string
          outstanding?: number
          paying_amount?: number
          reason?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'refund_tasks_order_id_fkey'
            columns: ['order_id']
            isOneToOne: false
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
        ]
      }
      saved_views: {
        Row: {
          address: string
          created_at: string
          id: string
          list: string
          name: string
          user_id: string
        }
        Insert: {
          address: string
          created_at?: string
          id?: string
          list: string
          name: string
          user_id?: string
        }
        Update: {
          address?: string
          created_at?: string
          id?: string
          list?: string
          name?: string
          user_id?: string
        }
        Relationships: []
      }
      shop_settings: {
        Row: {
          free_shipping_from: number | null
          id: string
          offers_locker: boolean
          requires_second_factor: boolean | null
          shipping_rate: number | null
          updated_at: string
        }
        Insert: {
          free_shipping_from?: number | null
          id?: string
          offers_locker?: boolean
          requires_second_factor?: boolean | null
          shipping_rate?: number | null
          updated_at?: string
        }
        Update: {
          free_shipping_from?: number | null
          id?: string
          offers_locker?: boolean
          requires_second_factor?: boolean | null
          shipping_rate?: number | null
          updated_at?: string
        }
        Relationships: []
      }
      stock_alerts: {
        Row: {
          created_at: string
          email: string
          id: string
          mailed_at: string | null
          variant_id: string
          withdrawn_at: string | null
          wording: string
        }
        Insert: {
          created_at?: string
          email: string
          id?: string
          mailed_at?: string | null
          variant_id: string
          withdrawn_at?: string | null
          wording: string
        }
        Update: {
          created_at?: string
          email?: string
          id?: string
          mailed_at?: string | null
          variant_id?: string
          withdrawn_at?: string | null
          wording?: string
        }
        Relationships: [
          {
            foreignKeyName: 'stock_alerts_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'stock_alerts_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      stock_movements: {
        Row: {
          actor_id: string | null
          created_at: string
          id: number
          key: string | null
          note: string | null
          order_id: string | null
          quantity: number
          reason: 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'
          variant_id: string
        }
        Insert: {
          actor_id?: string | null
          created_at?: string
          id?: never
          key?: string | null
          note?: string | null
          order_id?: string | null
          quantity: number
          reason: 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'
          variant_id: string
        }
        Update: {
          actor_id?: string | null
          created_at?: string
          id?: never
          key?: string | null
          note?: string | null
          order_id?: string | null
          quantity?: number
          reason?: 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'
          variant_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'stock_movements_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'stock_movements_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      stock_reservations: {
        Row: {
          created_at: string
          expires_at: string
          id: string
          order_id: string
          quantity: number
          variant_id: string
        }
        Insert: {
          created_at?: string
          expires_at: string
          id?: string
          order_id: string
          quantity: number
          variant_id: string
        }
        Update: {
          created_at?: string
          expires_at?: string
          id?: string
          order_id?: string
          quantity?: number
          variant_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'stock_reservations_order_id_fkey'
            columns: ['order_id']
            isOneToOne: false
            referencedRelation: 'orders'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'stock_reservations_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_availability'
            referencedColumns: ['variant_id']
          },
          {
            foreignKeyName: 'stock_reservations_variant_id_fkey'
            columns: ['variant_id']
            isOneToOne: false
            referencedRelation: 'product_variants'
            referencedColumns: ['id']
          },
        ]
      }
      user_roles: {
        Row: {
          created_at: string
          id: string
          role: 'admin' | 'packer' | 'customer'
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          role: 'admin' | 'packer' | 'customer'
          user_id: string
        }
        Update: {
          created_at?: string
          id?: string
          role?: 'admin' | 'packer' | 'customer'
          user_id?: string
        }
        Relationships: []
      }
    }
    Views: {
      clients: {
        Row: {
          address: string | null
          city: string | null
          created_at: string
          email: string | null
          full_name: string | null
          id: string
          phone: string | null
          state: string | null
          updated_at: string
          zip_code: string | null
        }
        Insert: {
          address?: string | null
          city?: string | null
          created_at?: string
          email?: string | null
          full_name?: string | null
          id?: string
          phone?: string | null
          state?: string | null
          updated_at?: string
          zip_code?: string | null
        }
        Update: {
          address?: string | null
          city?: string | null
          created_at?: string
          email?: string | null
          full_name?: string | null
          id?: string
          phone?: string | null
          state?: string | null
          updated_at?: string
          zip_code?: string | null
        }
        Relationships: []
      }
      history: {
        Row: {
          actor: 'admin' | 'packer' | 'account' | 'secret key' | 'server'
          actor_id: string | null
          actor_name: string | null
          after: Json | null
          before: Json | null
          can_undo: boolean | null
          changed_at: string
          device: Json | null
          forgotten_at: string | null
          id: number
          personal: string[]
          row_id: string
          row_label: string | null
          row_name: string | null
          session_id: string | null
          table_name: string
          undoes: number | null
          undone_by: number | null
          verb: 'insert' | 'update' | 'delete'
          withheld: string[]
        }
        Relationships: [
          {
            foreignKeyName: 'changes_undoes_fkey'
            columns: ['undoes']
            isOneToOne: false
            referencedRelation: 'changes'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'changes_undoes_fkey'
            columns: ['undoes']
            isOneToOne: false
            referencedRelation: 'history'
            referencedColumns: ['id']
          },
        ]
      }
      message_replies: {
        Row: {
          created_at: string
          delivery: string | null
          id: string
          message: string
          replied_by: string
          sent_at: string | null
          subject: string
          submission_id: string
        }
        Relationships: [
          {
            foreignKeyName: 'contact_replies_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: false
            referencedRelation: 'contact_submissions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'contact_replies_submission_id_fkey'
            columns: ['submission_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      messages: {
        Row: {
          answered_at: string | null
          answered_by: string | null
          created_at: string
          email: string
          id: string
          message: string
          name: string
          state: 'open' | 'done'
          subject: string
        }
        Relationships: []
      }
      open_payment_issues: {
        Row: {
          amount_gross: number | null
          detail: Json
          id: string
          kind:
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
            | 'bad_signature'
            | 'wrong_merchant'
            | 'denied'
            | 'unreadable'
            | 'unconfirmed'
            | 'missed_notice'
            | 'missing_money'
            | 'history_differs'
            | 'refund_failed'
            | 'refund_unknown'
          notice_id: string | null
          order_id: string | null
          payment_id: string | null
          pf_payment_id: string | null
          raised_at: string
          refund_id: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'payment_issues_notice_id_fkey'
            columns: ['notice_id']
            isOneToOne: false
            referencedRelation: 'payment_notices'
            referencedColumns: ['id']
          },
        ]
      }
      payment_balances: {
        Row: {
          amount_gross: number
          given_back: number
          on_its_way: number
          order_id: string | null
          outcome:
            | 'paid'
            | 'reinstated'
            | 'paid_twice'
            | 'wrong_amount'
            | 'unknown_order'
            | 'order_deleted'
            | 'sold_out'
          payment_id: string
          pays_order: boolean
          pf_payment_id: string | null
          received_at: string
          received_on: string | null
          reference: string | null
          refund_way: string | null
          refundable: number
          way: 'payfast' | 'eft' | 'cash'
        }
        Relationships: []
      }
      product_availability: {
        Row: {
          available: number
          product_id: string
          variant_id: string
        }
        Insert: {
          available?: number
          product_id?: string
          variant_id?: string
        }
        Update: {
          available?: number
          product_id?: string
          variant_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'product_variants_product_id_fkey'
            columns: ['product_id']
            isOneToOne: false
            referencedRelation: 'products'
            referencedColumns: ['id']
          },
        ]
      }
      promo_code_results: {
        Row: {
          code: string
          created_at: string
          discount_type: 'percentage' | 'fixed'
          discount_value: number
          discounted: number | null
          expires_at: string | null
          first_order_only: boolean
          free_shipping: boolean
          id: string
          is_active: boolean
          min_order_amount: number
          paid_orders: number | null
          per_customer_limit: number | null
          revenue: number | null
          starts_at: string | null
          state: 'switched_off' | 'expired' | 'used_up' | 'scheduled' | 'live'
          times_used: number
          updated_at: string
          usage_limit: number | null
        }
        Relationships: []
      }
      refunds: {
        Row: {
          amount: number
          counts: boolean
          created_at: string
          detail: Json
          id: string
          order_id: string | null
          paid_by_hand: boolean
          payment_id: string
          reason: string
          recorded_by: string
          restocked: boolean
          state: 'requested' | 'sent' | 'unknown' | 'failed' | 'done' | 'withdrawn'
          state_since: string
          way: 'payfast' | 'by_hand'
        }
        Relationships: [
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'open_payment_issues'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'payment_balances'
            referencedColumns: ['payment_id']
          },
          {
            foreignKeyName: 'payment_refunds_payment_id_fkey'
            columns: ['payment_id']
            isOneToOne: false
            referencedRelation: 'payments'
            referencedColumns: ['id']
          },
        ]
      }
      subscribers: {
        Row: {
          accepted_terms: boolean
          confirmation_sent_at: string | null
          consent: 'unsubscribed' | 'agreed' | 'pending' | 'not_asked' | 'withdrew'
          created_at: string
          email: string
          id: string
          said_at: string | null
          source: 'popup' | 'footer' | 'sign_up' | 'shop'
          unsubscribed_at: string | null
          wording: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      accept_late_payment: {
        Args: {
          payment_id: string
        }
        Returns: string
      }
      accept_short_payment: {
        Args: {
          payment_id: string
        }
        Returns: string
      }
      adjust_stock: {
        Args: {
          variant_id: string
          reason: string
          quantity: number
          note?: string | null
          key?: string | null
          seen?: number | null
        }
        Returns: number
      }
      answer_message: {
        Args: {
          submission_id: string
          subject: string
          message: string
          again?: boolean
        }
        Returns: Database['public']['Tables']['contact_replies']['Row']
        SetofOptions: {
          from: '*'
          to: 'contact_replies'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      cancel_own_order: {
        Args: {
          order_id: string
        }
        Returns: boolean
      }
      catalogue_filters: {
        Args: never
        Returns: Json
      }
      change_delivery: {
        Args: {
          order_id: string
          was: Json
          delivery: Json
        }
        Returns: undefined
      }
      close_account: {
        Args: never
        Returns: undefined
      }
      count_attention: {
        Args: never
        Returns: Json
      }
      delete_failed_mail: {
        Args: {
          mail_id: string
        }
        Returns: undefined
      }
      dismiss_refund_task: {
        Args: {
          task_id: string
          reason: string
        }
        Returns: undefined
      }
      duplicate_product: {
        Args: {
          product_id: string
        }
        Returns: string
      }
      email_buyers: {
        Args: {
          order_ids: string[]
          subject: string
          message: string
        }
        Returns: Json
      }
      erase_client: {
        Args: {
          client_id: string
        }
        Returns: undefined
      }
      export_client: {
        Args: {
          client_id: string
        }
        Returns: Json
      }
      export_my_data: {
        Args: never
        Returns: Json
      }
      find_former_address: {
        Args: {
          product_slug: string
          variant_slug?: string | null
        }
        Returns: {
          slug: string
          colour: string
          name: string
          is_gone: boolean
        }[]
      }
      get_client: {
        Args: {
          client_id: string
        }
        Returns: Json
      }
      get_order: {
        Args: {
          order_id: string
        }
        Returns: Json
      }
      grant_role: {
        Args: {
          email: string
          role: string
        }
        Returns: undefined
      }
      guess_courier: {
        Args: {
          waybill: string
        }
        Returns: string
      }
      has_verified_mailbox: {
        Args: never
        Returns: boolean
      }
      import_catalogue: {
        Args: {
          rows: Json
          judged?: Json | null
        }
        Returns: Json
      }
      increment_promo_usage: {
        Args: {
          code_id: string
        }
        Returns: boolean
      }
      list_low_stock: {
        Args: never
        Returns: {
          variant_id: string
          product_id: string
          product_name: string
          name: string
          image_url: string
          stock_quantity: number
          available: number
          low_stock_threshold: number
          is_own_threshold: boolean
        }[]
      }
      list_staff: {
        Args: never
        Returns: {
          id: string
          name: string
          email: string
          role: string
          since: string
          has_second_factor: boolean
        }[]
      }
      low_stock_threshold: {
        Args: never
        Returns: number
      }
      marketing_consent: {
        Args: never
        Returns: Json
      }
      merge_cart: {
        Args: {
          lines: Json
        }
        Returns: Database['public']['Tables']['cart_items']['Row'][]
        SetofOptions: {
          from: '*'
          to: 'cart_items'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      merge_clients: {
        Args: {
          kept_id: string
          merged_id: string
        }
        Returns: Json
      }
      must_add_second_factor: {
        Args: never
        Returns: boolean
      }
      my_last_change: {
        Args: {
          table_name: string
          row_id: string
        }
        Returns: number
      }
      own_reservations: {
        Args: never
        Returns: {
          variant_id: string
          quantity: number
        }[]
      }
      place_order: {
        Args: {
          idempotency_key: string
          delivery: Json
          expected_total: number
          promo_code?: string | null
          expected_lines?: Json | null
        }
        Returns: Database['public']['Tables']['orders']['Row']
        SetofOptions: {
          from: '*'
          to: 'orders'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      place_staff_order: {
        Args: {
          idempotency_key: string
          wanted: Json
        }
        Returns: Database['public']['Tables']['orders']['Row']
        SetofOptions: {
          from: '*'
          to: 'orders'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      preview_cancellation: {
        Args: {
          order_ids: string[]
        }
        Returns: Json
      }
      preview_product_removal: {
        Args: {
          product_id: string
        }
        Returns: Json
      }
      quote_cart: {
        Args: {
          promo_code?: string | null
        }
        Returns: Json
      }
      quote_staff_order: {
        Args: {
          lines: Json
          promo_code?: string | null
          shipping_method?: string | null
          replaces?: string | null
        }
        Returns: Json
      }
      record_missed_payment: {
        Args: {
          issue_id: string
        }
        Returns: string
      }
      record_payment: {
        Args: {
          order_id: string
          way: string
          reference?: string | null
          amount?: number | null
          received_on?: string | null
          was?: number | null
        }
        Returns: undefined
      }
      record_refund: {
        Args: {
          payment_id: string
          amount: number
          reason: string
          returned?: Json
          way?: string | null
          was?: number | null
        }
        Returns: Database['public']['Tables']['payment_refunds']['Row']
        SetofOptions: {
          from: '*'
          to: 'payment_refunds'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      request_stock_alert: {
        Args: {
          variant: string
          email: string
        }
        Returns: Json
      }
      request_top_up: {
        Args: {
          payment_id: string
        }
        Returns: Database['public']['Tables']['payment_top_ups']['Row']
        SetofOptions: {
          from: '*'
          to: 'payment_top_ups'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      resend_mail: {
        Args: {
          mail_id: string
        }
        Returns: string
      }
      resolve_payment_issue: {
        Args: {
          issue_id: string
          note: string
        }
        Returns: Database['public']['Tables']['payment_issue_resolutions']['Row']
        SetofOptions: {
          from: '*'
          to: 'payment_issue_resolutions'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      retry_mail: {
        Args: {
          mail_id: string
        }
        Returns: undefined
      }
      retry_refund: {
        Args: {
          refund_id: string
        }
        Returns: Database['public']['Views']['refunds']['Row']
        SetofOptions: {
          from: '*'
          to: 'refunds'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returnable_items: {
        Args: {
          order_id: string
        }
        Returns: {
          order_item_id: string
          product_name: string
          product_variant: string
          with_hooks: boolean
          quantity: number
          returnable: number
          price: number
          paid_price: number
        }[]
      }
      review_photo: {
        Args: {
          submission_id: string
          was: string
          verdict: string
          reason?: string | null
        }
        Returns: undefined
      }
      revoke_role: {
        Args: {
          account: string
        }
        Returns: undefined
      }
      sales_by_day: {
        Args: {
          from_day: string
          to_day: string
          zone: string
        }
        Returns: {
          day: string
          orders: number
          revenue: number
          refunds: number
        }[]
      }
      sales_by_product: {
        Args: {
          from_day: string
          to_day: string
          zone: string
        }
        Returns: {
          product_name: string
          orders: number
          pieces: number
          revenue: number
        }[]
      }
      sales_by_province: {
        Args: {
          from_day: string
          to_day: string
          zone: string
        }
        Returns: {
          province: string
          orders: number
          revenue: number
        }[]
      }
      sales_by_variant: {
        Args: {
          from_day: string
          to_day: string
          zone: string
        }
        Returns: {
          product_name: string
          product_variant: string
          orders: number
          pieces: number
          revenue: number
        }[]
      }
      save_product: {
        Args: {
          product_id: string
          changes: Json
        }
        Returns: undefined
      }
      search_clients: {
        Args: {
          term: string
          at_most?: number
        }
        Returns: Database['public']['Tables']['profiles']['Row'][]
        SetofOptions: {
          from: '*'
          to: 'profiles'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      search_orders: {
        Args: {
          term: string
          at_most?: number
        }
        Returns: Database['public']['Tables']['orders']['Row'][]
        SetofOptions: {
          from: '*'
          to: 'orders'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      search_products: {
        Args: {
          term?: string
          kind?: string | null
          length_mm?: number | null
          weight_grams?: number | null
          max_price?: number | null
          in_stock?: boolean
          skipped?: number
          at_most?: number
        }
        Returns: Json
      }
      second_factor_rule: {
        Args: never
        Returns: Json
      }
      set_low_stock_threshold: {
        Args: {
          at_most: number
        }
        Returns: undefined
      }
      set_marketing_consent: {
        Args: {
          is_given: boolean
          wording: string
        }
        Returns: Json
      }
      set_order_statuses: {
        Args: {
          order_ids: string[]
          status: string
          was?: string[] | null
        }
        Returns: Json
      }
      settle_refund: {
        Args: {
          refund_id: string
          outcome: string
          note: string
        }
        Returns: Database['public']['Views']['refunds']['Row']
        SetofOptions: {
          from: '*'
          to: 'refunds'
          isOneToOne: true
          isSetofReturn: false
        }
      }
      setup_steps: {
        Args: never
        Returns: Json
      }
      shop_terms: {
        Args: never
        Returns: Json
      }
      stock_history: {
        Args: {
          product_id: string
          of_variant?: string | null
          before?: number | null
        }
        Returns: {
          id: number
          variant_id: string
          variant_name: string
          quantity: number
          stock_after: number
          reason: string
          note: string
          order_id: string
          order_number: number
          actor: string
          created_at: string
        }[]
      }
      suggest_products: {
        Args: {
          term: string
          at_most?: number
        }
        Returns: {
          slug: string
          name: string
          category: string
          colour_slug: string
          colour: string
        }[]
      }
      test_promo_code: {
        Args: {
          terms: Json
          cart_subtotal: number
          customer_email?: string | null
        }
        Returns: Json
      }
      total_revenue: {
        Args: never
        Returns: Json
      }
      undo_change: {
        Args: {
          change_id: number
        }
        Returns: undefined
      }
      unshipped_units: {
        Args: {
          product_id: string
        }
        Returns: {
          variant_id: string
          order_id: string
          order_number: number
          quantity: number
        }[]
      }
      unsold_variants: {
        Args: {
          from_day: string
          to_day: string
          zone: string
        }
        Returns: {
          product_name: string
          product_variant: string
          stock: number
          last_sold: string
        }[]
      }
      unsubscribe_on_request: {
        Args: {
          signup_id: string
        }
        Returns: undefined
      }
      validate_promo_code: {
        Args: {
          code_input: string
        }
        Returns: {
          is_valid: boolean
          error_message: string
          id: string
          code: string
          discount_type: string
          discount_value: number
          min_order_amount: number
          times_used: number
          usage_limit: number
          expires_at: string
          free_shipping: boolean
        }[]
      }
      withdraw_payment: {
        Args: {
          payment_id: string
          reason: string
        }
        Returns: string
      }
      withdraw_refund: {
        Args: {
          refund_id: string
          reason: string
        }
        Returns: Database['public']['Views']['refunds']['Row']
        SetofOptions: {
          from: '*'
          to: 'refunds'
          isOneToOne: true
          isSetofReturn: false
        }
      }
    }
    Enums: { [name in never]: never }
    CompositeTypes: { [name in never]: never }
  }
}
